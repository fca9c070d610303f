import { closed, count, text } from './texts.ts';
import { troubles } from '../contract/values.ts';
import { exchangeEvidence, steering, story } from './evidence.ts';
import { conditionNames, shared, way, finding, type Node } from './finding.ts';
import type { FromSchema } from 'json-schema-to-ts';
import { type Cost, sideEffects } from '../contract/endpoints.ts';
import { assuranceLevels } from '../contract/clause.ts';
import {
  observedLadder,
  observedOrder,
  observedShape,
  type ObservedLadder,
  type ObservedOrder,
  type ObservedShape,
} from './observed.ts';
import type { VerdictFields } from './verdict.ts';

/** What one run of one check came to. */
const check = {
  ...closed,
  required: ['name', 'file', 'state', 'durationMs', 'cases', 'assertions'],
  properties: {
    name: text,
    file: text,
    state: { enum: ['passed', 'failed', 'not-exercised'] },
    durationMs: { type: 'number', minimum: 0 },
    cases: count,
    /** How many of its generated cases were different ones. */
    distinctCases: count,
    assertions: count,
    /** Outcomes of every repetition, where they differed. */
    flaky: { type: 'array', items: text },
    /** Why it was not exercised. */
    reason: text,
    /** It was not exercised since the budget of the run does not reach as far. */
    unbought: { const: true },
    /** Whose trouble that is: `target` where another answer of the target would have led on. */
    trouble: { enum: troubles },
    error: {
      ...closed,
      required: ['title', 'expected', 'actual'],
      properties: {
        title: text,
        expected: text,
        actual: text,
        hint: text,
        /** What the check builds on did not hold, such as that a correct request passes: its own rule was not put to the test. */
        premise: { const: true },
        /** So often its case was tried again, and failed each time; absent where that is not known. */
        again: { type: 'integer', minimum: 1 },
        /** The same in results of before 0012, of the untouched twin of a flawed request alone. */
        twin: { type: 'boolean' },
      },
    },
    counterexample: text,
    /** Method and path template that the failure shows: those of the last request. */
    endpoint: text,
    /** Entries of the known deviations cover the failure. */
    covered: { const: true },
    /** Ways of failing that such entries cover, and after which the check went on, each once. */
    known: { type: 'array', items: way },
    /** Every way in which its examples fail, each once; absent where they were not all tried. */
    ways: { type: 'array', items: way },
    replay: text,
    /** Those of a failure; of a check that passed, one that it sent and one that came to it, as samples. */
    exchanges: { type: 'array', items: exchangeEvidence },
    /** What was done to the target by its control API in the case that these are of, first to last. */
    steered: { type: 'array', items: steering },
    /** The case that these are of, step by step, so that it can be repeated. */
    story,
    /** How many exchanges the check made in all. */
    exchangesMade: count,
    /** Of what is told in passing: the checks that sent or received it. */
    seenIn: {
      type: 'array',
      items: {
        ...closed,
        required: ['clause', 'check'],
        properties: { clause: text, check: text },
      },
    },
    /** Of what is told in passing: how many of its last exchanges show it together, some of them under way at once. */
    together: { type: 'integer', minimum: 2 },
    /** Told by single answers and deliveries, whatever the check: no other clause is to blame for that. */
    inPassing: { const: true },
    /** What the records that show the failure have in common; absent where no record shows it. */
    shared,
  },
} as const;

/** How often a clause was seen kept and broken, each answer or delivery once, or else each case of its checks. */
const observations = {
  ...closed,
  required: ['right', 'wrong', 'bound95'],
  properties: {
    right: count,
    wrong: count,
    /** Upper end of the share of wrong ones, from 0 to 1: at a higher one so few would have been seen in less than 5 of 100 runs. */
    bound95: { type: 'number', minimum: 0, maximum: 1 },
    /** What differed between them, and how many values it had. */
    over: {
      type: 'array',
      items: {
        ...closed,
        required: ['name', 'values'],
        properties: { name: { enum: conditionNames }, values: { type: 'integer', minimum: 2 } },
      },
    },
  },
} as const;

/** What a clause came to. */
export const clauseResult = {
  ...closed,
  required: ['id', 'section', 'level', 'binds', 'statement', 'verdict', 'checks'],
  properties: {
    id: text,
    section: text,
    level: { enum: ['must', 'should', 'implied'] },
    binds: { enum: ['service', 'receiver', 'client'] },
    statement: text,
    verdict: { enum: ['passed', 'failed', 'known', 'warned', 'not-exercised', 'blocked', 'withheld', 'unobservable'] },
    reason: text,
    /** Whose trouble it is that no check was made for it. */
    trouble: { enum: troubles },
    /** Clauses that it stands on and that are broken: its checks failed, and may have failed for that alone. */
    blockedBy: { type: 'array', items: text, minItems: 1 },
    /** It does not hold, and yet was seen to hold at times, or in part. */
    alsoHeld: { const: true },
    /** Some of what was seen broke it, and some kept it. */
    intermittent: { const: true },
    observations,
    checks: { type: 'array', items: check },
  },
} as const;

const trouble = { enum: troubles } as const;

/** How far a run reached, for each level of assurance together with those below it. */
const reached = {
  ...closed,
  required: ['name', 'exercised', 'of'],
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
  ...closed,
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
  properties: {
    format: { const: 'nfe-conformance/results@1' },
    verdict: { enum: ['conformant', 'incomplete', 'nonconformant', 'error'] },
    /** What stopped the run, when the verdict is `error`. */
    error: text,
    /** Whose trouble that was. */
    trouble,
    /** The suite that made the run; `commit` where it was run from a repository. */
    suite: {
      ...closed,
      required: ['version'],
      properties: { version: text, commit: text },
    },
    /** Whether checks could move the target's clock, and by how much it differs from the suite's. */
    clock: {
      ...closed,
      required: ['movable'],
      properties: { movable: { type: 'boolean' }, skewSeconds: { type: 'number' } },
    },
    target: {
      ...closed,
      required: ['kind', 'baseUrl', 'control', 'profile'],
      properties: {
        kind: text,
        baseUrl: text,
        /** Its name and version, as its control API says. */
        implementation: text,
        /** What the headers of its first answer say of it, where it has no control API: `Server nginx/1.25.3`. */
        server: text,
        control: { type: 'boolean' },
        profile: text,
      },
    },
    startedAt: text,
    durationMs: { type: 'number', minimum: 0 },
    seed: { type: 'integer' },
    numRuns: count,
    requests: count,
    /** Requests to which nothing came, or a 502, 503 or 504; absent in results of before it was counted. */
    unanswered: count,
    /** That the App Secret of the run was refused to its end, by what code, in how many requests, and since when none with it succeeded. */
    refused: {
      ...closed,
      required: ['code', 'requests', 'since'],
      properties: { code: count, requests: count, since: text },
    },
    /**
     * A time, from one ISO-8601 instant to another, in which so many of all answers had one status, with a page where that is said, that came at no other: something may have stood
     * before the service, or it was being replaced.
     */
    spell: {
      ...closed,
      required: ['from', 'to', 'status', 'answers', 'of'],
      properties: { from: text, to: text, status: count, isPage: { const: true }, answers: count, of: count },
    },
    /**
     * Invoices of all whose end was looked for that still waited for it, the longest so many milliseconds, though all others had settled
     * in far less: they may be lost.
     */
    unsettled: {
      ...closed,
      required: ['invoices', 'of', 'waitedMs', 'slowestMs'],
      properties: { invoices: count, of: count, waitedMs: count, slowestMs: count },
    },
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
      ...closed,
      required: ['passed', 'failed', 'known', 'warned', 'notExercised', 'unobservable'],
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
      ...closed,
      required: ['atMost', 'confidence', 'answers'],
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
        ...closed,
        required: ['file', 'secret'],
        properties: { file: text, secret: text },
      },
    },
    /** Of a run of the whole suite: the highest level of which every must clause was exercised and holds, and all levels. */
    level: {
      ...closed,
      required: ['complete', 'reached'],
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
interface Spent {
  /** By itself. */
  readonly own: Cost;
  /** What it used of what all checks share, by name, with what the making of that cost where it made it. */
  readonly shares: readonly (readonly [string, Cost])[];
}

/** What a run is called, in the `User-Agent` of its requests and on its report: when it began, and its seed. */
export function runIdOf({ startedAt, seed }: Pick<Results, 'startedAt' | 'seed'>): string {
  return `${startedAt.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}-${seed}`;
}

/** What the requests of a run call themselves, so that they are found in a log. */
export function userAgentOf(run: Pick<Results, 'startedAt' | 'seed'>, version: string): string {
  return `nfe-conformance/${version} (run ${runIdOf(run)})`;
}
