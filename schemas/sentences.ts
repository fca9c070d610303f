import { closed } from './texts.ts';
const text = { type: 'string', minLength: 1 } as const;
const inItsWords = {
  section: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  sentence: text,
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
} as const;
const required = ['section', 'sentence', 'sha256', 'clauses'] as const;

/** A sentence that clauses judge. */
const judged = {
  type: 'object',
  required,
  additionalProperties: false,
  properties: { ...inItsWords, clauses: { type: 'array', items: text, minItems: 1, uniqueItems: true } },
} as const;

/** A sentence that none does, for a reason. */
const waived = {
  ...closed,
  required: [...required, 'waiver'],
  properties: {
    ...inItsWords,
    clauses: { type: 'array', maxItems: 0 },
    waiver: { type: 'string', pattern: '^[A-Z].*\\.$' },
  },
} as const;

/** The contract's sentences with what judges each: `contract/sentences.json`. */
export const sentences = { $id: 'sentences', type: 'array', items: { oneOf: [judged, waived] } } as const;
