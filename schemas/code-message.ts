import type { FromSchema } from 'json-schema-to-ts';
import { visibleText } from './texts.ts';

/**
 * How verification and the lookups refuse. Not the platform envelope, which has a code and a message as well: `success` tells
 * them apart. Section 7.3.
 */
export const codeMessage = {
  $id: 'code-message',
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: ['string', 'number'] }, message: visibleText, success: false },
} as const;

export type CodeMessage = FromSchema<typeof codeMessage>;
