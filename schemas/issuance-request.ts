import type { FromSchema } from 'json-schema-to-ts';
import { filledText } from './texts.ts';

/** The environments of the tax authority: an invoice that is issued in `Producao` is a real one. Section 4.1. */
export const ambientes = ['Producao', 'Homologacao'] as const;

export type Ambiente = (typeof ambientes)[number];

/** What is known of an issuance request: the rest of the invoice is not shown. Section 4.1. */
export const issuanceRequest = {
  $id: 'issuance-request',
  type: 'object',
  required: ['id', 'ambienteEmissao'],
  properties: { id: filledText, ambienteEmissao: { enum: ambientes } },
} as const;

export type IssuanceRequest = FromSchema<typeof issuanceRequest>;
