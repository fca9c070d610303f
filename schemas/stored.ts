import { closed, text } from './texts.ts';
import type { FromSchema } from 'json-schema-to-ts';
import { results, clauseResult, type ClauseResult, type Results } from './results.ts';
import { validator, firstFault } from './validate.ts';

const ids = { type: 'array', items: text } as const;
const { target, counts, verdict, level } = results.properties;

/** One run in a line of `history.jsonl`, format `nfe-conformance/history@1`: what came of it, without evidence. */
export const historyLine = {
  $id: 'history-line',
  ...closed,
  required: ['format', 'startedAt', 'suite', 'verdict', 'target', 'seed', 'numRuns', 'requests', 'counts', 'clauses'],
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
      ...closed,

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

/** A company that a sandbox registered, a line of `empresas.jsonl`. */
const rememberedEmpresa = {
  $id: 'remembered-empresa',
  ...closed,
  required: ['baseUrl', 'body', 'empresaId'],
  properties: {
    baseUrl: text,
    /** Digest of what it was registered with: that may tell of real people. */
    body: text,
    empresaId: text,
  },
} as const;

export type RememberedEmpresa = FromSchema<typeof rememberedEmpresa>;

const faultsOfRemembered = validator(rememberedEmpresa);

/** Whether a value is a line of the companies that were registered. */
export function isRememberedEmpresa(value: unknown): value is RememberedEmpresa {
  return faultsOfRemembered(value).length === 0;
}

/** What a run of the mutants came to, `mutants.json`, format `nfe-conformance/mutants@1`. */
export const mutantsRecord = {
  $id: 'mutants-record',
  ...closed,
  required: ['format', 'at', 'suite', 'seed', 'mutants', 'variants', 'accused', 'catches'],
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
        ...closed,
        required: ['mutant', 'clause', 'caughtBy'],
        properties: { mutant: text, clause: text, caughtBy: { type: 'array', items: text } },
      },
    },
  },
} as const;

export type MutantsRecord = FromSchema<typeof mutantsRecord>;

/** The JSON Schema of `results.json` for other programs: draft 2020-12, with an address of its own, needing no other schema. */
export function publishedSchema() {
  const { $id: _, ...schema } = results;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:nfe-conformance:${results.properties.format.const.replace('nfe-conformance/', '')}`,
    title: 'Results of a run of the NF-e conformance suite',
    ...schema,
  };
}

const faultsOfClause = validator({ ...clauseResult, $id: 'clause-result' });

/** Whether a value is what a results file of this format holds of a clause. */
export function isClauseResult(value: unknown): value is ClauseResult {
  return faultsOfClause(value).length === 0;
}

const faultsOfLine = validator(historyLine);

/** Whether a value is one line of a history of this format. */
export function isHistoryLine(value: unknown): value is HistoryLine {
  return faultsOfLine(value).length === 0;
}

/** What keeps a value from being a record of the mutants of this format, one sentence a fault. */
export const faultsOfMutantsRecord = validator(mutantsRecord);

/** Whether a value is a record of the mutants of this format. */
export function isMutantsRecord(value: unknown): value is MutantsRecord {
  return faultsOfMutantsRecord(value).length === 0;
}

/** What keeps a value from being a results file of this format, one sentence a fault. */
export const faultsOfResults = validator(results);

/** Whether a value is a results file of this format. */
export function isResults(value: unknown): value is Results {
  return faultsOfResults(value).length === 0;
}

/** Where such a value first departs from the schema, and how, without anything that it holds: "/clauses/3/id is missing". */
export function firstFaultOfResults(value: unknown): string {
  return firstFault({ ...results, $id: 'results-fault' }, value) ?? 'no fault';
}
