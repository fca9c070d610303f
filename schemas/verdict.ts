import type { FromSchema } from 'json-schema-to-ts';
import { fiscalStates, verdictStates, type VerdictState } from '../contract/states.ts';
import { chave, filledText, visibleText } from './texts.ts';
import { utcTime, utcTimeOrNull } from './utc-time.ts';

const textOrNull = { type: ['string', 'null'] } as const;

/** The fields of a verdict that are there whatever it is. */
const always = ['chaveAcesso', 'validationStatus', 'status', 'eventos', 'verifiedAt'] as const;

const anyVerdict = {
  chaveAcesso: chave,
  status: { enum: fiscalStates },
  cStat: textOrNull,
  xMotivo: textOrNull,
  protocolo: {
    type: ['object', 'null'],
    required: ['numero', 'digestValue'],
    properties: { numero: { type: 'string' }, digestValue: { type: 'string' } },
  },
  dataAutorizacao: utcTimeOrNull,
  eventos: { type: 'array' },
  verifiedAt: utcTime,
} as const;

/** The fields of a verdict that can be null. Section 2.4. */
export const nullableVerdictFields = ['cStat', 'xMotivo', 'protocolo', 'dataAutorizacao'] as const;

/** A verdict: what holds whatever was found. Section 2.4. */
export const verdict = {
  $id: 'verdict',
  type: 'object',
  required: always,
  properties: { ...anyVerdict, validationStatus: { enum: verdictStates }, reason: visibleText },
} as const;

/** A verdict on an invoice that was found valid: there is no reason to give. Section 2.4. */
export const validatedVerdict = {
  $id: 'validated-verdict',
  type: 'object',
  required: always,
  properties: { ...anyVerdict, validationStatus: { const: 'VALIDATED' }, reason: false },
} as const;

/** A verdict on an invoice that was rejected or could not be judged: it says why. Section 2.4. */
export const explainedVerdict = {
  $id: 'explained-verdict',
  type: 'object',
  required: [...always, 'reason'],
  properties: { ...anyVerdict, validationStatus: { enum: ['REJECTED', 'VALIDATION_ERROR'] }, reason: visibleText },
} as const;

/** What holds of a verdict of each kind. */
export const verdictByState = {
  VALIDATED: validatedVerdict,
  REJECTED: explainedVerdict,
  VALIDATION_ERROR: explainedVerdict,
} as const satisfies Record<VerdictState, object>;

/** The event that brings a verdict; `data` is for the schemas of verdicts to judge. Section 6.6. */
export const verdictEvent = {
  $id: 'verdict-event',
  type: 'object',
  required: ['version', 'event_id', 'event_type', 'occurred_at', 'data'],
  properties: {
    version: { const: '1.0' },
    event_id: filledText,
    event_type: { const: 'invoice.verify.completed' },
    occurred_at: utcTime,
    data: { type: 'object' },
  },
} as const;

export type Verdict = FromSchema<typeof validatedVerdict> | FromSchema<typeof explainedVerdict>;
export type VerdictEvent = FromSchema<typeof verdictEvent> & { readonly data: Verdict };
