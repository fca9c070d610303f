import type { FromSchema } from 'json-schema-to-ts';
import { verdictStates } from '../contract/states.ts';

/** The answer to a verification and to the lookup of a chave: the verdict is all that is known of it. Sections 3.2 and 4.1. */
export const verification = {
  $id: 'verification',
  type: 'object',
  required: ['validation'],
  properties: {
    validation: {
      type: 'object',
      required: ['validationStatus'],
      properties: { validationStatus: { enum: verdictStates } },
    },
  },
} as const;

export type Verification = FromSchema<typeof verification>;
