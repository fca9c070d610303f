import type { FromSchema } from 'json-schema-to-ts';
import { troubles } from '../contract/trouble.ts';
import { signing } from './signing.ts';

const text = { type: 'string' } as const;
const trouble = { enum: troubles } as const;

const count = { type: 'integer', minimum: 0 } as const;

/** Bytes of a body: as text where they are UTF-8, else in base64. */
const bodyEvidence = {
  type: 'object',
  required: ['text', 'encoding', 'bytes'],
  additionalProperties: false,
  properties: {
    text,
    encoding: { enum: ['utf-8', 'base64'] },
    bytes: count,
    /** The end of the text was left out. */
    cut: { const: true },
  },
} as const;

/** A string to sign, as a body is shown, with what it is made of. */
const signedEvidence = {
  ...bodyEvidence,
  properties: {
    ...bodyEvidence.properties,
    /** What the text is made of, from its start to its end, each with its length in UTF-16 units; absent where that is not told. */
    parts: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'length'],
        additionalProperties: false,
        properties: { name: { enum: ['token', 'path', 'body', 'timestamp', 'separator'] }, length: count },
      },
    },
  },
} as const;

const headersEvidence = {
  type: 'array',
  items: { type: 'array', items: text, minItems: 2, maxItems: 2 },
} as const;

/** One request with its response or its failure, secrets masked. */
const exchangeEvidence = {
  type: 'object',
  required: ['request', 'durationMs'],
  additionalProperties: false,
  properties: {
    request: {
      type: 'object',
      required: ['method', 'target', 'headers'],
      additionalProperties: false,
      properties: { method: text, target: text, headers: headersEvidence, body: bodyEvidence },
    },
    stringToSign: signedEvidence,
    /** How it was signed; absent of what the suite did not sign. */
    signing,
    response: {
      type: 'object',
      required: ['status', 'headers', 'body'],
      additionalProperties: false,
      properties: { status: { type: 'integer' }, headers: headersEvidence, body: bodyEvidence },
    },
    error: text,
    /** A delivery that came to the suite, rather than a request of its own. */
    received: { const: true },
    durationMs: { type: 'number', minimum: 0 },
  },
} as const;

/** What one run of one check came to. */
const check = {
  type: 'object',
  required: ['name', 'file', 'state', 'durationMs', 'cases', 'assertions'],
  additionalProperties: false,
  properties: {
    name: text,
    file: text,
    state: { enum: ['passed', 'failed', 'not-exercised'] },
    durationMs: { type: 'number', minimum: 0 },
    cases: count,
    assertions: count,
    /** Outcomes of every repetition, where they differed. */
    flaky: { type: 'array', items: text },
    /** Why it was not exercised. */
    reason: text,
    /** Whose trouble that is: `target` where another answer of the target would have led on. */
    trouble,
    error: {
      type: 'object',
      required: ['title', 'expected', 'actual'],
      additionalProperties: false,
      properties: {
        title: text,
        expected: text,
        actual: text,
        hint: text,
        /** The untouched twin of a flawed request was not accepted, so the flaw itself proved nothing. */
        twin: { type: 'boolean' },
      },
    },
    counterexample: text,
    replay: text,
    /** Those of a failure; of a check that passed, its last one as a sample. */
    exchanges: { type: 'array', items: exchangeEvidence },
    /** How many exchanges the check made in all. */
    exchangesMade: count,
  },
} as const;

/** Of a request with several faults: the one that was answered, and one that was not. */
const observedOrder = {
  type: 'object',
  required: ['first', 'second'],
  additionalProperties: false,
  properties: {
    first: text,
    second: text,
    /** Platform code that each of them is answered with when it is alone. */
    firstCode: { type: 'integer' },
    secondCode: { type: 'integer' },
  },
} as const;

/** When a delivery that was not acknowledged was tried again. */
const observedLadder = {
  type: 'object',
  required: ['channel', 'source', 'retriesSeconds', 'watchedSeconds'],
  additionalProperties: false,
  properties: {
    channel: { enum: ['issuance', 'verification'] },
    /** By a clock that the suite moved in steps, by waiting, or in what a receiver had stored before. */
    source: { enum: ['moved-clock', 'real-time', 'stored'] },
    /** Seconds after the first attempt. */
    retriesSeconds: { type: 'array', items: { type: 'number', minimum: 0 } },
    /** Seconds after the first attempt until which retries were refused and looked for. */
    watchedSeconds: { type: 'number', minimum: 0 },
  },
} as const;

/** What a clause came to. */
export const clauseResult = {
  type: 'object',
  required: ['id', 'section', 'level', 'binds', 'statement', 'verdict', 'checks'],
  additionalProperties: false,
  properties: {
    id: text,
    section: text,
    level: { enum: ['must', 'should', 'implied'] },
    binds: { enum: ['service', 'receiver', 'client'] },
    statement: text,
    verdict: { enum: ['passed', 'failed', 'known', 'warned', 'not-exercised', 'unobservable'] },
    reason: text,
    checks: { type: 'array', items: check },
  },
} as const;

/** What a JSON body or a part of it can be, and what a body can be that is no JSON. */
const observedTypes = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array', 'empty', 'text'] as const;

/** What the answers of an endpoint with one status looked like: recorded for comparison, never judged, without values. */
const observedShape = {
  type: 'object',
  required: ['endpoint', 'status', 'responses', 'contentTypes', 'fields'],
  additionalProperties: false,
  properties: {
    /** Name of the endpoint, of a retired one its method and path, or `other`. */
    endpoint: text,
    status: { type: 'integer' },
    /** How many answers came; each check looks at its first few. */
    responses: count,
    contentTypes: { type: 'array', items: text },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'types', 'always'],
        additionalProperties: false,
        properties: {
          pointer: text,
          types: { type: 'array', items: { enum: observedTypes } },
          /** Seen wherever what holds it was an object (for items: an array). */
          always: { type: 'boolean' },
        },
      },
    },
  },
} as const;

/** The results file, `results.json`, format `nfe-conformance/results@1`. */
export const results = {
  $id: 'results',
  type: 'object',
  required: [
    'format',
    'verdict',
    'target',
    'startedAt',
    'durationMs',
    'seed',
    'numRuns',
    'requests',
    'counts',
    'clauses',
  ],
  additionalProperties: false,
  properties: {
    format: { const: 'nfe-conformance/results@1' },
    verdict: { enum: ['conformant', 'incomplete', 'nonconformant', 'error'] },
    /** What stopped the run, when the verdict is `error`. */
    error: text,
    /** Whose trouble that was. */
    trouble,
    /** The suite that made the run; `commit` where it was run from a repository. */
    suite: {
      type: 'object',
      required: ['version'],
      additionalProperties: false,
      properties: { version: text, commit: text },
    },
    /** Whether checks could move the target's clock, and by how much it differs from the suite's. */
    clock: {
      type: 'object',
      required: ['movable'],
      additionalProperties: false,
      properties: { movable: { type: 'boolean' }, skewSeconds: { type: 'number' } },
    },
    target: {
      type: 'object',
      required: ['kind', 'baseUrl', 'control', 'profile'],
      additionalProperties: false,
      properties: { kind: text, baseUrl: text, implementation: text, control: { type: 'boolean' }, profile: text },
    },
    startedAt: text,
    durationMs: { type: 'number', minimum: 0 },
    seed: { type: 'integer' },
    numRuns: count,
    requests: count,
    /** Requests that might have issued an invoice in production. */
    productionIssuances: count,
    counts: {
      type: 'object',
      required: ['passed', 'failed', 'known', 'warned', 'notExercised', 'unobservable'],
      additionalProperties: false,
      properties: {
        passed: count,
        failed: count,
        known: count,
        warned: count,
        notExercised: count,
        unobservable: count,
      },
    },
    filter: text,
    clauses: { type: 'array', items: clauseResult },
    /** The order in which faults were answered, seen and never judged. */
    order: { type: 'array', items: observedOrder },
    /** The retries that were watched, seen and never judged. */
    ladders: { type: 'array', items: observedLadder },
    shapes: { type: 'array', items: observedShape },
  },
} as const;

export type Results = FromSchema<typeof results>;
export type ClauseResult = Results['clauses'][number];
export type CheckResult = ClauseResult['checks'][number];
export type ExchangeEvidence = NonNullable<CheckResult['exchanges']>[number];
export type BodyEvidence = FromSchema<typeof bodyEvidence>;
export type SignedEvidence = FromSchema<typeof signedEvidence>;
export type ObservedShape = FromSchema<typeof observedShape>;
export type ObservedField = ObservedShape['fields'][number];
export type ObservedType = ObservedField['types'][number];
export type ObservedOrder = FromSchema<typeof observedOrder>;
export type ObservedLadder = FromSchema<typeof observedLadder>;
export type ClauseVerdict = ClauseResult['verdict'];
export type RunVerdict = Results['verdict'];

/** What a check hands over when it ends: its result, the clause that it judges and what came back. */
export interface CheckOutcome {
  readonly clause: string;
  readonly result: CheckResult;
  /** Secrets of the applications that it made for itself: sought in what is written, and never written. */
  readonly secrets?: readonly string[];
  readonly shapes?: readonly ObservedShape[];
  /** Which fault of a request was answered before which. */
  readonly order?: readonly ObservedOrder[];
  /** When deliveries that it did not acknowledge were tried again. */
  readonly ladders?: readonly ObservedLadder[];
}
