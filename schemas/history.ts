import type { FromSchema } from 'json-schema-to-ts';
import { results } from './results.ts';

const text = { type: 'string' } as const;
const ids = { type: 'array', items: text } as const;
const { target, counts, verdict, level } = results.properties;

/** One run in a line of `history.jsonl`, format `nfe-conformance/history@1`: what came of it, without evidence. */
export const historyLine = {
  $id: 'history-line',
  type: 'object',
  required: ['format', 'startedAt', 'suite', 'verdict', 'target', 'seed', 'numRuns', 'requests', 'counts', 'clauses'],
  additionalProperties: false,
  properties: {
    format: { const: 'nfe-conformance/history@1' },
    startedAt: text,
    /** Version of the suite. */
    suite: text,
    verdict,
    /** What stopped the run, when the verdict is `error`. */
    error: text,
    target,
    seed: { type: 'integer' },
    numRuns: { type: 'integer', minimum: 0 },
    requests: { type: 'integer', minimum: 0 },
    durationMs: { type: 'number', minimum: 0 },
    counts,
    level,
    filter: text,
    /** Ids of failed clauses that only the list of known deviations made fail. */
    stale: ids,
    /** How each broken clause broke, by id: equal texts for the same. */
    breakages: { type: 'object', additionalProperties: text },
    /** Names of the fields in `data` of verification events, by the kind of their verdict. */
    verdictFields: { type: 'object', additionalProperties: { type: 'array', items: text } },
    /** Ids by verdict, without those that no run judges. */
    clauses: {
      type: 'object',
      additionalProperties: false,
      properties: {
        passed: ids,
        failed: ids,
        known: ids,
        warned: ids,
        'not-exercised': ids,
        blocked: ids,
        withheld: ids,
      },
    },
  },
} as const;

export type HistoryLine = FromSchema<typeof historyLine>;
