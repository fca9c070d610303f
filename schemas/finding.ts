import type { FromSchema } from 'json-schema-to-ts';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;

/** What is known of a record before it is answered: what a cause may hang on. */
export const conditionNames = [
  'endpoint',
  'path',
  'fault',
  'signed',
  'caller',
  'channel',
  'event',
  'language',
  'contentType',
  'size',
  'transfer',
  'connection',
] as const;

/** What came, as an answer or a delivery shows it. */
export const outcomeNames = ['status', 'code', 'signature'] as const;

/** One thing that is known of a record. */
export const fact = {
  type: 'object',
  required: ['name', 'value'],
  additionalProperties: false,
  properties: {
    name: { enum: [...conditionNames, ...outcomeNames] },
    value: text,
    /** It is among the fewest that every record has that breaks the clause, and none that keeps it. */
    telling: { const: true },
  },
} as const;

/** Which of several nodes behind one address breaks a clause, where it is broken now and then. */
export const node = {
  type: 'object',
  required: ['by', 'wrong', 'of'],
  additionalProperties: false,
  properties: {
    /** What tells its answers from others; `turn` where it is every nth request, `share` where it is about one in n, whatever the connection. */
    by: { enum: ['header', 'cookie', 'clock', 'address', 'connection', 'turn', 'share'] },
    /** Of the header. */
    name: text,
    /** What the header holds, or by how much the clock is ahead, negative where it is behind; absent where it is hidden or differs. */
    value: text,
    /** How many of what is told apart are wrong, and of how many: connections, values, turns. */
    wrong: count,
    of: count,
  },
} as const;

/** What the records have in common that break a clause. */
export const shared = {
  type: 'object',
  required: ['records', 'facts'],
  additionalProperties: false,
  properties: {
    /** The first of them, by their place among the records of the trace: 1 is the first. */
    records: { type: 'array', items: { type: 'integer', minimum: 1 } },
    facts: { type: 'array', items: fact },
    /** The clauses that most of these records break as well. */
    beside: { type: 'array', items: text },
    /** How many records broke the clause, and of how many that bear on it. */
    wrong: count,
    of: count,
    node,
  },
} as const;

/** One cause: what the target does, what that breaks, and what can't be told for it. */
export const finding = {
  type: 'object',
  required: ['id', 'summary', 'clauses', 'blocked', 'evidence'],
  additionalProperties: false,
  properties: {
    /** The same in every run that finds the same. */
    id: text,
    /** What the target does, in English. */
    summary: text,
    /** The clauses that it breaks; the first one names it. */
    clauses: { type: 'array', items: text, minItems: 1 },
    /** The clauses that could not be put to the test for it. */
    blocked: { type: 'array', items: text },
    /** ISO time of the first run in which it was found, as far back as is known. */
    since: text,
    /** An earlier run saw its first clause hold, and this is the first in which it does not. */
    isNew: { const: true },
    /** How many of what was seen of its first clause were wrong. */
    observations: {
      type: 'object',
      required: ['wrong', 'of'],
      additionalProperties: false,
      properties: { wrong: count, of: count },
    },
    /** Which of several nodes does it, where only some do. */
    node,
    /** The likely cause. */
    diagnosis: text,
    /** What is wrong of all of it and of nothing that is right; in English and from the target, as its checks tell it. */
    facts: { type: 'array', items: fact },
    expected: text,
    actual: text,
    /** The checks that show it, the one to look at first in front. */
    evidence: {
      type: 'array',
      items: {
        type: 'object',
        required: ['clause', 'check'],
        additionalProperties: false,
        properties: { clause: text, check: text },
      },
    },
  },
} as const;

export type Node = FromSchema<typeof node>;
export type Fact = FromSchema<typeof fact>;
export type FactName = Fact['name'];
export type Shared = FromSchema<typeof shared>;
export type Finding = FromSchema<typeof finding>;
