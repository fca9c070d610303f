import type { FromSchema } from 'json-schema-to-ts';
import { results } from './results.ts';

const text = { type: 'string' } as const;

/** What a run of the mutants came to, `mutants.json`, format `nfe-conformance/mutants@1`. */
export const mutantsRecord = {
  $id: 'mutants-record',
  type: 'object',
  required: ['format', 'at', 'suite', 'seed', 'mutants', 'variants', 'accused', 'catches'],
  additionalProperties: false,
  properties: {
    format: { const: 'nfe-conformance/mutants@1' },
    /** ISO time of the run. */
    at: text,
    suite: results.properties.suite,
    seed: { type: 'integer' },
    /** How many mutants were let loose on. */
    mutants: { type: 'integer', minimum: 0 },
    variants: { type: 'integer', minimum: 0 },
    /** False accusations of variants. */
    accused: { type: 'integer', minimum: 0 },
    /** For every mutant and clause that it breaks, the checks that failed; none where it was missed. */
    catches: {
      type: 'array',
      items: {
        type: 'object',
        required: ['mutant', 'clause', 'caughtBy'],
        additionalProperties: false,
        properties: { mutant: text, clause: text, caughtBy: { type: 'array', items: text } },
      },
    },
  },
} as const;

export type MutantsRecord = FromSchema<typeof mutantsRecord>;
