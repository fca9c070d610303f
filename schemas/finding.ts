import { closed, count, text } from './texts.ts';
import type { FromSchema } from 'json-schema-to-ts';
import type { KnownDeviation } from '../contract/catalogue.ts';

/** What is known of a record before it is answered: what a cause may hang on. */
export const conditionNames = [
  'endpoint',
  'path',
  'query',
  'fault',
  'timestamp',
  'signed',
  'caller',
  'channel',
  'event',
  'language',
  'contentType',
  /** Of an exchange: its body says that it is JSON, and is none. */
  'content',
  'size',
  'transfer',
  /** Of an exchange: its `sign` was sent before, for what is equal and of the same second. */
  'sign',
  /** Of an exchange: the class of the last answer over the same connection, `4xx`, or `none`. */
  'before',
  'connection',
] as const;

/** What came, as an answer or a delivery shows it. */
export const outcomeNames = ['status', 'code', 'signature'] as const;

/**
 * What a cause is told by besides: of something that did not come where it came for others, the title of a check, and of an endpoint that
 * answers one thing whatever it is sent, the status of that.
 */
const circumstances = ['check', 'always'] as const;

/** The hint of a check that failed before it came to its own rule: it says nothing of the cause. */
export const premiseHint = 'the check builds on this, and has not come to its own rule';

/** What stands in the place of an endpoint where a link was followed. */
export const linkToDocument = 'link to a document';

/** One thing that is known of a record. */
const fact = {
  ...closed,
  required: ['name', 'value'],
  properties: {
    name: { enum: [...conditionNames, ...outcomeNames, ...circumstances] },
    value: text,
    /** It is among the fewest that every record has that breaks the clause, and none that keeps it. */
    telling: { const: true },
  },
} as const;

/** Which of several nodes behind one address breaks a clause, where it is broken now and then. */
const node = {
  ...closed,
  required: ['by', 'wrong', 'of'],
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
  ...closed,
  required: ['records', 'facts'],
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
  ...closed,
  required: ['id', 'summary', 'clauses', 'blocked', 'evidence'],
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
      ...closed,
      required: ['wrong', 'of'],
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
        ...closed,
        required: ['clause', 'check'],
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

/** One way in which a check fails, secrets masked. */
export const way = {
  ...closed,
  required: ['expected', 'actual'],
  properties: {
    /** Method and path template of the last request; absent of what is no endpoint of the contract. */
    endpoint: text,
    expected: text,
    actual: text,
    counterexample: text,
  },
} as const;

export type Way = FromSchema<typeof way>;

const longest = { text: 2_000, counterexample: 4_000, compared: 300 };

/** A way, its texts cut to what a list of them holds. */
export function wayOf({ endpoint, expected, actual, counterexample }: FoundWay): Way {
  return {
    ...(endpoint === undefined ? {} : { endpoint }),
    expected: expected.slice(0, longest.text),
    actual: actual.slice(0, longest.text),
    ...(counterexample === undefined ? {} : { counterexample: counterexample.slice(0, longest.counterexample) }),
  };
}

/** What of a way is compared between runs. */
export function comparedWay({ endpoint, expected, actual }: Way): Way {
  const cut = (words: string): string => words.slice(0, longest.compared);
  return { ...(endpoint === undefined ? {} : { endpoint }), expected: cut(expected), actual: cut(actual) };
}

/** A failure as it was found. */
interface FoundWay extends Pick<Way, 'expected' | 'actual'> {
  readonly endpoint?: string | undefined;
  readonly counterexample?: string | undefined;
}

/**
 * What tells one way from another, as a line: the endpoint, what was expected and what came. Numbers and ids are left out, since
 * they differ from run to run, but statuses and platform codes are not.
 */
export function wayText(found: Way): string {
  const { endpoint, expected, actual } = comparedWay(found);
  const where = endpoint === undefined ? '' : `${endpoint}: `;
  return `${where}expected ${withoutIds(expected)}, actual ${withoutIds(actual)}`;
}

/** Words; a hyphen belongs to the word. */
const word = /[\w-]+/g;

/** A status of HTTP, or a code of the platform. */
const telling = /^(?:[1-5]\d\d|100\d{5})$/;

/** What tells hidden texts apart: an id that is drawn anew has another. */
const mark = / ~[\da-z]{4}\b/g;

function withoutIds(words: string): string {
  return words
    .replace(/\s+/g, ' ')
    .replace(mark, '')
    .replace(word, (found) => {
      if (!/\d/.test(found) || telling.test(found)) return found;
      return found.length < 8 ? found.replace(/\d+/g, '#') : '#';
    });
}

/** Whether an entry of the known deviations covers a way in which the check of that title fails. */
export function isCovering(entry: KnownDeviation, check: string, { endpoint, actual, counterexample }: Way): boolean {
  const { case: text } = entry;
  return (
    (entry.check === undefined || entry.check === check) &&
    (entry.endpoint === undefined || entry.endpoint === endpoint) &&
    (text === undefined || actual.includes(text) || counterexample?.includes(text) === true)
  );
}
