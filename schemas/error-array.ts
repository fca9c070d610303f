import type { FromSchema } from 'json-schema-to-ts';
import { visibleText } from './texts.ts';

/** How issuance, query and cancellation refuse: what is wrong, at least one thing, each with its code. Section 7.3. */
export const errorArray = {
  $id: 'error-array',
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['codigo', 'mensagem'],
    properties: { codigo: { type: ['string', 'number'] }, mensagem: visibleText },
  },
} as const;

export type ErrorArray = FromSchema<typeof errorArray>;
