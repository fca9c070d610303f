import type { FromSchema } from 'json-schema-to-ts';
import { nfeStates, type NfeState } from '../contract/states.ts';
import { httpUrl } from './texts.ts';

/** The invoice object that a query answers with: what holds in every state. Sections 3.1 and 4.1. */
export const invoice = {
  $id: 'invoice',
  type: 'object',
  required: ['status'],
  properties: { status: { enum: nfeStates } },
} as const;

/** An authorised invoice: its DANFE can be fetched. */
export const authorisedInvoice = {
  $id: 'authorised-invoice',
  type: 'object',
  required: ['status', 'linkDanfe'],
  properties: { status: { const: 'Autorizada' }, linkDanfe: httpUrl },
} as const;

/** An invoice in any other state: there is no DANFE, so its link is absent, null or empty. */
export const unauthorisedInvoice = {
  $id: 'unauthorised-invoice',
  type: 'object',
  required: ['status'],
  properties: {
    status: { enum: ['AguardandoAutorizacao', 'Negada', 'Cancelada'] },
    linkDanfe: { enum: [null, ''] },
  },
} as const;

/** What holds of an invoice in each state. */
export const invoiceByState = {
  AguardandoAutorizacao: unauthorisedInvoice,
  Autorizada: authorisedInvoice,
  Negada: unauthorisedInvoice,
  Cancelada: unauthorisedInvoice,
} as const satisfies Record<NfeState, object>;

export type Invoice = FromSchema<typeof authorisedInvoice> | FromSchema<typeof unauthorisedInvoice>;
