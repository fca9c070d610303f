import { troubles } from '../contract/trouble.ts';
import { exchangeEvidence, steering } from './evidence.ts';
import { story } from './story.ts';
import { conditionNames, shared } from './finding.ts';
import { way } from './way.ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

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
      type: 'object',
      required: ['title', 'expected', 'actual'],
      additionalProperties: false,
      properties: {
        title: text,
        expected: text,
        actual: text,
        hint: text,
        /** What the check builds on did not hold, such as that a correct request passes: its own rule was not put to the test. */
        premise: { const: true },
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
        type: 'object',
        required: ['clause', 'check'],
        additionalProperties: false,
        properties: { clause: text, check: text },
      },
    },
    /** Told by single answers and deliveries, whatever the check: no other clause is to blame for that. */
    inPassing: { const: true },
    /** What the records that show the failure have in common; absent where no record shows it. */
    shared,
  },
} as const;

/** How often a clause was seen kept and broken, each answer or delivery once, or else each case of its checks. */
const observations = {
  type: 'object',
  required: ['right', 'wrong', 'bound95'],
  additionalProperties: false,
  properties: {
    right: count,
    wrong: count,
    /** Upper end of the share of wrong ones, from 0 to 1: at a higher one so few would have been seen in less than 5 of 100 runs. */
    bound95: { type: 'number', minimum: 0, maximum: 1 },
    /** What differed between them, and how many values it had. */
    over: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'values'],
        additionalProperties: false,
        properties: { name: { enum: conditionNames }, values: { type: 'integer', minimum: 2 } },
      },
    },
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
