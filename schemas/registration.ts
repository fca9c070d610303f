import type { FromSchema } from 'json-schema-to-ts';
import { filledText } from './texts.ts';

/** The answer to a company registration: bare, and the company identifier is all that is known of it. Section 4.1. */
export const registration = {
  $id: 'registration',
  type: 'object',
  required: ['empresaId'],
  properties: { empresaId: filledText },
} as const;

export type Registration = FromSchema<typeof registration>;
