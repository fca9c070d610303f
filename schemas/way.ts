import type { FromSchema } from 'json-schema-to-ts';
import type { KnownDeviation } from '../contract/known-deviation.ts';

const text = { type: 'string' } as const;

/** One way in which a check fails, secrets masked. */
export const way = {
  type: 'object',
  required: ['expected', 'actual'],
  additionalProperties: false,
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

function withoutIds(words: string): string {
  return words.replace(/\s+/g, ' ').replace(word, (found) => {
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
