import type { FromSchema } from 'json-schema-to-ts';
import { exchangeEvidence, steering } from './evidence.ts';

const text = { type: 'string' } as const;
const closed = { type: 'object', additionalProperties: false } as const;
const isTrue = { const: true } as const;

/** Something that happened in a failing case, told so that it can be done again. */
const step = {
  anyOf: [
    {
      ...closed,
      required: ['kind', 'evidence'],
      properties: {
        kind: { enum: ['call', 'link', 'delivery'] },
        evidence: exchangeEvidence,
        /** App Key of who called. */
        application: text,
        /** Unix seconds of the clock of that application, where it is its own. */
        now: { type: 'number' },
        /** Stands for the address of ours that a call registers, or that a delivery came to. */
        address: text,
        /** It was signed wrongly, and how is not known. */
        isFlawed: isTrue,
        /** Whether the signature of a delivery was the one that is due; absent where nobody could tell. */
        signature: { enum: ['right', 'other'] },
        /** Of a link that is followed: when what it came in came, and which of the links in that it is. */
        cameAt: { type: 'number' },
        leadsTo: { enum: ['xml', 'danfe'] },
        /** Whether a delivery called its address as it was registered; absent where nobody could tell. */
        isExact: { type: 'boolean' },
        /** Milliseconds until a delivery was answered. */
        answeredAfterMs: { type: 'number' },
        /** It came before the case: what it was answered is not what the failure is about. */
        isSetUp: isTrue,
      },
    },
    {
      ...closed,
      required: ['kind', 'call'],
      properties: { kind: { const: 'steering' }, call: steering, application: text, isSetUp: isTrue },
    },
  ],
} as const;

/** The steps of a failing case in the order of time, those before it that it stands on in front. */
export const story = { type: 'array', items: step } as const;

export type Step = FromSchema<typeof step>;
