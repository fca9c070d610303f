import { shownWords } from './explaining.ts';
import { looksLike } from './looks.ts';
import { shownTarget, type View } from './veil.ts';
import { isKnownWord } from './words.ts';

type Shown = (value: string, view: View) => string;

const hidden: Shown = (value, view) => view.hide(value);
const whole =
  (pattern: RegExp): Shown =>
  (value, view) =>
    value.length <= longest && pattern.test(value) ? value : view.hide(value);
const longest = 200;

/** A time as HTTP writes it: of an answer, not of a birth. */
const httpDate = whole(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT$/);
const id: Shown = (value, view) => (looksLike('id', value) ? value : view.hide(value));
const count = whole(/^\d{1,7}$/);
/** A count, or seconds of Unix time of these years. */
const limit = whole(/^(?:\d{1,7}|1[6-9]\d{8}|20\d{8})$/);

/** The name of a machine: long numbers may be somebody's. */
const node: Shown = (value, view) =>
  /^[a-z\d][\w.:-]{0,39}$/i.test(value) && !/\d{5}/.test(value) ? value : view.hide(value);

/** Headers whose values tell nobody's name, and how theirs are shown; of `words` only what is known. */
const headers: Readonly<Record<string, Shown>> = {
  ...shownBy(
    shownWords,
    `content-type content-encoding transfer-encoding connection keep-alive vary allow server cache-control
     pragma accept accept-encoding accept-ranges content-language accept-language language user-agent via
     x-powered-by x-cache x-content-type-options x-frame-options x-xss-protection strict-transport-security
     www-authenticate upgrade trailer expect`,
  ),
  ...shownBy(node, `x-served-by x-node x-backend x-server x-instance x-pod x-upstream x-version`),
  ...shownBy(httpDate, 'date last-modified'),
  ...shownBy(count, 'content-length age'),
  expires: whole(/^(?:0|-1|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT)$/),
  'retry-after': whole(/^(?:\d{1,7}|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT)$/),
  timestamp: limit,
};

/** Names of headers that any server sends. */
export const usualHeaders: readonly string[] = [
  ...Object.keys(headers),
  'set-cookie',
  'transfer-encoding',
  'x-request-id',
];

/** The end of the names of the five headers of a delivery, behind whatever brand they begin with. Section 6.1. */
const ofDelivery: Readonly<Record<string, Shown>> = {
  event: shownWords,
  'event-id': id,
  'delivery-id': id,
  timestamp: limit,
  signature: whole(/^(?:sha256=)?[\da-f]{64}$/i),
};

/** The value of a header that was received, as evidence shows it. */
export function shownHeader(name: string, value: string, view: View): string {
  if (value === '' || view.stands.has(value) || view.isOwn(value)) return value;
  return shownAs(name.toLowerCase())(value, view);
}

function shownAs(name: string): Shown {
  const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (known) return known;
  if (name === 'host')
    return (value, view) => (/^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/.test(value) ? value : shownTarget(value, view));
  if (/^(?:x-)?ratelimit-/.test(name)) return limit;
  const end = /^x-.{1,60}?-(event|event-id|delivery-id|timestamp|signature)$/.exec(name)?.[1];
  return (end === undefined ? undefined : ofDelivery[end]) ?? hidden;
}

/** The name of a header: as names of headers are written. Two words that no server says may be a name of somebody's. */
export function shownHeaderName(name: string, view: View): string {
  const isWritten = /^[a-z][a-z\d-]{0,59}$/i.test(name) && !/\d{4}/.test(name);
  return isWritten && unknownWords(name) < 2 ? name : view.hide(name);
}

/** How many words of a name no server says; what is as short as `cf`, `amzn` or `b3` is a brand or a mark, what mixes digits in is none. */
function unknownWords(name: string): number {
  const unknown = name.split('-').filter((word) => word.length > longestMark && !isKnownWord(word));
  return unknown.reduce((sum, word) => sum + (isWord(word) ? 1 : 2), 0);
}

function isWord(word: string): boolean {
  return word.length <= longestWord && (word.length <= longestMixed || !/\d/.test(word));
}

const longestWord = 20;
const longestMixed = 8;
const longestMark = 4;

/** Headers that are all shown so; white space parts their names. */
function shownBy(shown: Shown, names: string): Record<string, Shown> {
  return Object.fromEntries(names.split(/\s+/).map((name) => [name, shown]));
}
