import type { FromSchema } from 'json-schema-to-ts';
import type { Cost } from '../contract/cost.ts';
import { sideEffects } from '../contract/endpoints.ts';
import { troubles } from '../contract/trouble.ts';
import { assuranceLevels } from '../contract/needs.ts';
import { clauseResult } from './clause-result.ts';
import { finding, type Node } from './finding.ts';
import {
  observedLadder,
  observedOrder,
  observedShape,
  type ObservedLadder,
  type ObservedOrder,
  type ObservedShape,
} from './observed.ts';

import type { VerdictFields } from './verdict-fields.ts';

export type { BodyEvidence, SignedEvidence } from './evidence.ts';
export type { ObservedField, ObservedLadder, ObservedOrder, ObservedShape, ObservedType } from './observed.ts';

const text = { type: 'string' } as const;
const trouble = { enum: troubles } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** How far a run reached, for each level of assurance together with those below it. */
const reached = {
  type: 'object',
  required: ['name', 'exercised', 'of'],
  additionalProperties: false,
  properties: {
    name: { enum: assuranceLevels },
    /** Must clauses of the level and those below it that were exercised, whether they hold or not. */
    exercised: count,
    /** All of these must clauses, those that were withheld apart. */
    of: count,
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
    /** What accepted requests have left behind at the target. */
    sideEffects: {
      type: 'object',
      required: sideEffects,
      additionalProperties: false,
      properties: { companies: count, certificates: count, addresses: count, invoices: count, cancellations: count },
    },
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
        /** Clauses that might issue for real, on a sandbox without leave; absent in results of before there were any. */
        withheld: count,
        /** Clauses that stand on a broken one and could not be put to the test for it; absent in results of before there were any. */
        blocked: count,
        unobservable: count,
      },
    },
    filter: text,
    /** The rate of wrong answers that the run was to exclude for each must clause, and how surely; absent where none was asked for. */
    bound: {
      type: 'object',
      required: ['atMost', 'confidence', 'answers'],
      additionalProperties: false,
      properties: {
        atMost: { type: 'number' },
        confidence: { type: 'number' },
        /** So many right answers to one clause exclude it. */
        answers: count,
      },
    },
    /** Name of the file beside it that holds the trace; absent where none was written. */
    trace: text,
    /** Secrets that the suite's masks had missed, and that were replaced just before a file was written: defects of the suite. */
    defects: {
      type: 'array',
      items: {
        type: 'object',
        required: ['file', 'secret'],
        additionalProperties: false,
        properties: { file: text, secret: text },
      },
    },
    /** Of a run of the whole suite: the highest level of which every must clause was exercised and holds, and all levels. */
    level: {
      type: 'object',
      required: ['complete', 'reached'],
      additionalProperties: false,
      properties: {
        complete: { enum: [...assuranceLevels, null] },
        reached: { type: 'array', items: reached },
      },
    },
    clauses: { type: 'array', items: clauseResult },
    /** The causes of what does not hold, those that break a must clause first; absent in results of before there were any. */
    findings: { type: 'array', items: finding },
    /** The order in which faults were answered, seen and never judged. */
    order: { type: 'array', items: observedOrder },
    /** The retries that were watched, seen and never judged. */
    ladders: { type: 'array', items: observedLadder },
    shapes: { type: 'array', items: observedShape },
    /** Names of the fields in `data` of verification events, by the kind of their verdict: what a later run expects to be there still. */
    verdictFields: { type: 'object', additionalProperties: { type: 'array', items: text } },
  },
} as const;

export type Results = FromSchema<typeof results>;
export type ClauseResult = Results['clauses'][number];
export type CheckResult = ClauseResult['checks'][number];
export type ExchangeEvidence = NonNullable<CheckResult['exchanges']>[number];
export type Observations = NonNullable<ClauseResult['observations']>;
export type ClauseVerdict = ClauseResult['verdict'];
export type RunVerdict = Results['verdict'];

/** What a check hands over when it ends: its result, the clause that it judges and what came back. */
export interface CheckOutcome {
  readonly clause: string;
  readonly result: CheckResult;
  /** Secrets of the applications that it made for itself: sought in what is written, and never written. */
  readonly secrets?: readonly string[];
  /** Endpoints, by method and path template, on which it saw its rule kept. */
  readonly kept?: readonly string[];
  readonly shapes?: readonly ObservedShape[];
  /** Fields in `data` of the verification events that it gathered. */
  readonly verdictFields?: VerdictFields;
  /** Which fault of a request was answered before which. */
  readonly order?: readonly ObservedOrder[];
  /**
   * When it ended (Unix milliseconds), where it failed with what a target that is going down shows as well: no answer, a 5xx,
   * something that did not come.
   */
  readonly frailAtMs?: number;
  /** When deliveries that it did not acknowledge were tried again. */
  readonly ladders?: readonly ObservedLadder[];
  readonly spent?: Spent;
  /** Clauses that were seen to hold in what passed by. */
  readonly held?: readonly string[];
  /** A clause that it saw broken at some node of several, and which. */
  readonly atNode?: { readonly clause: string; readonly node: Node };
  /** How often clauses were seen kept and broken, its own and others, once the run was over. */
  readonly seen?: Readonly<Record<string, Observations>>;
}

/** What a check has sent, and left behind at the target. */
export interface Spent {
  /** By itself. */
  readonly own: Cost;
  /** What it used of what all checks share, by name, with what the making of that cost where it made it. */
  readonly shares: readonly (readonly [string, Cost])[];
}
