import type { FromSchema } from 'json-schema-to-ts';

/** Platform envelope of a refusal by the gateway: 401 and 403. Sections 2.6, 7.1. */
export const errorEnvelope = {
  $id: 'error-envelope',
  type: 'object',
  required: ['success', 'errorType', 'code', 'message'],
  properties: {
    success: { const: false },
    errorType: { const: 1 },
    code: { type: 'integer' },
    message: { type: 'string', minLength: 1, pattern: '\\S' },
  },
} as const;

/** Platform envelope of a 429: which integer `errorType` is there the contract does not say. Section 7.1. */
export const limitEnvelope = {
  ...errorEnvelope,
  $id: 'limit-envelope',
  properties: { ...errorEnvelope.properties, errorType: { type: 'integer' } },
} as const;

/** Platform envelope of a retired endpoint's 410: always the one code. Sections 4.3, 7.2. */
export const retiredEnvelope = {
  $id: 'retired-envelope',
  type: 'object',
  required: ['success', 'errorType', 'code', 'message'],
  properties: {
    success: { const: false },
    errorType: { const: 1 },
    code: { const: 10009034 },
    message: { type: 'string', minLength: 1, pattern: '/openapi/' },
  },
} as const;

/** Platform envelope of a success, whatever its data. Sections 2.5, 2.6. */
export const successEnvelope = {
  $id: 'success-envelope',
  type: 'object',
  required: ['success', 'message', 'data'],
  properties: {
    success: { type: 'boolean' },
    message: { type: 'string' },
    data: { type: 'object' },
  },
} as const;

export type ErrorEnvelope = FromSchema<typeof errorEnvelope>;
export type RetiredEnvelope = FromSchema<typeof retiredEnvelope>;
export type SuccessEnvelope = FromSchema<typeof successEnvelope>;
