import { presenceOf } from './parts.ts';

/** A platform envelope around something, complete or nearly: a field of such a name alone is an added one. Sections 2.6 and 4.2. */
export const platformEnvelope = {
  $id: 'platform-envelope',
  anyOf: [
    {
      ...presenceOf({ required: ['success'] }),
      properties: { success: { type: 'boolean' } },
      anyOf: [['data'], ['message'], ['code']].map((required) => presenceOf({ required })),
    },
    presenceOf({ required: ['code', 'message', 'data'] }),
    // Without a message, only where nothing else stands beside it.
    {
      type: 'object',
      required: ['code', 'data'],
      additionalProperties: false,
      properties: { success: true, errorType: true, code: true, message: true, data: { type: 'object' } },
    },
  ],
} as const;

const { $id: _, ...envelope } = platformEnvelope;

/** What answers bare: anything but a platform envelope around it. Section 4.2. */
export const bareAnswer = { $id: 'bare-answer', not: envelope } as const;

/** What answers with a bare object: of what a lookup of a CNPJ or a CPF finds no more is known. Section 4.1. */
export const bareObject = { $id: 'bare-object', type: 'object', not: envelope } as const;
