import {
  type Wrapping,
  readingWriter,
  type TextReading,
  type ReadingWriter,
  plainReading,
  unplacedReading,
  unescaped,
} from './reading.ts';
import {
  type Pattern,
  type SoughtSecret,
  patternIndex,
  type Hit,
  foldedReading,
  formsOf,
  isLoose,
  leastPart,
  squeezed,
  squeezedForm,
} from './pattern.ts';
import { decoded, possibleBytes, type PossibleBytes } from './encoded.ts';

/** A secret, or a part of it, in a text. */
export interface FoundSecret {
  /** The stretch of the text that holds it, in UTF-16 units: from here to before `to`. */
  readonly from: number;
  readonly to: number;
  /** What takes its place. */
  readonly stand: string;
  readonly isWhole: boolean;
  /** Whether it stands there as it is, letter case and all. */
  readonly isExact: boolean;
  /** What it was wrapped in, outermost first. */
  readonly ways: readonly Wrapping[];
}

/**
 * A reading without what breaks a text into pieces: line breaks and the indentation behind them, what stands between two quoted
 * pieces of one text (`" + "`), and the NULs of UTF-16. `undefined` where nothing is broken.
 */
function joined(reading: TextReading): TextReading | undefined {
  return without(reading, breakAt);
}

/** A secret as a text is read that is broken into pieces, where the secret itself has what breaks one: `a'.'b`. */
function joinedForm(sought: SoughtSecret): Pattern[] {
  const whole = joined(plainReading(sought.secret));
  return whole ? [{ codes: foldedReading(whole).codes, sought }] : [];
}

/** A reading without the NULs of UTF-16: quotes that are of a text stay in it. `undefined` where there are none. */
function withoutNuls(reading: TextReading): TextReading | undefined {
  return without(reading, (codes, at) => (codes[at] === nul ? 1 : 0));
}

/** A reading without what is left out of it, by how long that is from a place on. */
function without(reading: TextReading, lengthAt: (codes: Uint16Array, at: number) => number): TextReading | undefined {
  const { codes, ways } = reading;
  let writer: ReadingWriter | undefined;
  let copied = 0;
  for (let at = 0; at < codes.length; at += 1) {
    if (starts[codes[at] ?? space] !== 1) continue;
    const length = lengthAt(codes, at);
    if (length === 0) continue;
    writer ??= readingWriter(codes.length, reading);
    writer.copy(copied, at);
    copied = at + length;
    at = copied - 1;
  }
  writer?.copy(copied, codes.length);
  return writer?.reading(ways);
}

const [nul, tab, lineFeed, carriageReturn, space, plus, dot, backslash] = [0, 9, 10, 13, 0x20, 0x2b, 0x2e, 0x5c];
const [quote, apostrophe, backtick] = [0x22, 0x27, 0x60];

/** By unit, 1 where a break may begin with it. */
const starts = Uint8Array.from({ length: 0x1_0000 }, (_, code) =>
  [nul, lineFeed, carriageReturn, backslash, quote, apostrophe, backtick].includes(code) ? 1 : 0,
);

/** What stands between two pieces is looked at only so far: beyond that they are two texts. */
const longestBreak = 200;

/** The length of the break at a place; 0 where there is none. */
function breakAt(codes: Uint16Array, at: number): number {
  const code = codes[at] ?? space;
  if (code === nul) return 1;
  if (isQuote(code)) return quotedBreakAt(codes, at);
  if (isLineEnd(code)) return spaceFrom(codes, at) - at;
  if (code !== backslash || !isLineEnd(codes[at + 1] ?? space)) return 0;
  // A backslash continues a line, unless it begins an escape that the break stands in.
  const next = spaceFrom(codes, at + 1);
  return isEscaped(codes[next] ?? space) ? 0 : next - at;
}

/** A quote, white space, perhaps an operator between white space, and a quote again. */
function quotedBreakAt(codes: Uint16Array, at: number): number {
  let next = spaceFrom(codes, at + 1);
  if (codes[next] === plus || codes[next] === dot) next = spaceFrom(codes, next + 1);
  return isQuote(codes[next] ?? space) ? next + 1 - at : 0;
}

/** Where white space ends that begins there. */
function spaceFrom(codes: Uint16Array, start: number): number {
  let at = start;
  while (at - start < longestBreak && isSpace(codes[at] ?? plus)) at += 1;
  return at;
}

function isEscaped(code: number): boolean {
  return `ux01234567"'/\\`.includes(String.fromCharCode(code));
}

function isSpace(code: number): boolean {
  return code === space || code === tab || code === nul || isLineEnd(code);
}

function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn;
}

function isQuote(code: number): boolean {
  return code === quote || code === apostrophe || code === backtick;
}

/**
 * Finds secrets of a few characters, such as the password of a certificate: plain, in a JSON string or URL-encoded. One that can't
 * be told from other words and numbers is found where it stands as a word of its own.
 */
function shortSecrets(secrets: readonly SoughtSecret[]): (text: string) => FoundSecret[] {
  const spelt = secrets.flatMap(({ secret, stand }) => {
    const spellings = new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]);
    return [...spellings].map((spelling) => ({ spelling, stand, isAnywhere: isTelling(secret) }));
  });
  return (text) => spelt.flatMap((one) => wordsIn(text, one));
}

interface Spelt {
  readonly spelling: string;
  readonly stand: string;
  readonly isAnywhere: boolean;
}

/** Whether no word and no number is likely to hold it: letters with something else among them. */
function isTelling(secret: string): boolean {
  return secret.length >= leastTelling && /\p{L}/u.test(secret) && /[^\p{L}]/u.test(secret);
}

const leastTelling = 5;

function wordsIn(text: string, { spelling: word, stand, isAnywhere }: Spelt): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + word.length)) {
    const to = from + word.length;
    const isApart =
      !(isJoined(text, from - 1) && isJoined(text, from)) && !(isJoined(text, to - 1) && isJoined(text, to));
    if (isApart || isAnywhere) found.push({ from, to, stand, isWhole: true, isExact: true, ways: [] });
  }
  return found;
}

/** Whether a letter or a digit stands there: two of them side by side are one word. */
function isJoined(text: string, at: number): boolean {
  return /^[\p{L}\p{N}]$/u.test(text.charAt(at));
}

/** Finds secrets in texts: the only one that does, for the clause that forbids them as for masks and the last search. */
export interface SecretMatcher {
  /** How many secrets it seeks, those of fewer than 8 characters apart. */
  readonly sought: number;
  /** Where secrets are, from the start of the text to its end; no two overlap. */
  readonly find: (text: string) => readonly FoundSecret[];
  /** The text with what stands for each secret in its place. */
  readonly hide: (text: string) => string;
}

/** What holds where it differs from the usual. */
interface MatcherOptions {
  /** Texts that are no secret of anybody's: a part of a secret that is a part of one of them is no sign of the secret. */
  readonly common?: readonly string[];
  /** Whether a secret is not sought at all that is, as a whole, a part of such a text: it would be found wherever that is. */
  readonly isCommonSpared?: boolean;
}

/**
 * A matcher for secrets. It finds one also where it was put into JSON, XML, HTML or a URL, escaped as C or JavaScript do, written
 * in base64, hexadecimal or UTF-16, in another case, with line breaks, quotes or spaces added, two such layers deep, and cut at
 * its ends to no fewer than 8 characters, what looks like an escape counted as what it would stand for. Of a secret of fewer
 * characters, only the whole of it is found, as a word of its own. Takes time in proportion to the text.
 */
export function secretMatcher(secrets: Iterable<SoughtSecret>, options: MatcherOptions = {}): SecretMatcher {
  const { common = [], isCommonSpared = false } = options;
  const all = [...secrets].filter(({ secret }) => secret !== '');
  const stands = new Set(all.map(({ stand }) => stand));
  const ofNobody = [...common, ...stands].map(holderOf);
  const isCommon = (part: string): boolean => ofNobody.some((holds) => holds(part));
  const isSought = ({ secret }: SoughtSecret): boolean =>
    secret.length >= leastPart && !(isCommonSpared && isCommon(foldedText(secret)));
  const long = all.filter(isSought);
  const findShort = shortSecrets(isCommonSpared ? [] : all.filter(({ secret }) => secret.length < leastPart));
  const forms = long.flatMap((one) => [...formsOf(one), ...joinedForm(one)]);
  const loose = forms.filter(isLoose);
  const possible = possibleBytes(forms);
  const inText = patternIndex(loose, isCommon);
  const inSqueezed = patternIndex(forms.map(squeezedForm), isCommon);
  const mayHold = ({ codes, isJoined }: Layer): boolean =>
    (!isJoined && inSqueezed.mayBeIn(codes, true)) || (loose.length > 0 && inText.mayBeIn(codes, false));
  const findIn = (text: string): FoundSecret[] => {
    if (long.length === 0 || !layersOf(unplacedReading(text), possible).some(mayHold)) return findShort(text);
    const found: FoundSecret[] = [];
    const note = (reading: TextReading) => (hit: Hit) => void found.push(foundAt(text, reading, hit));
    for (const reading of layersOf(plainReading(text), possible).filter(mayHold)) {
      const tight = squeezed(reading);
      inSqueezed.find(tight.codes, note(tight));
      if (loose.length > 0) inText.find(foldedReading(reading).codes, note(reading));
    }
    return [...found, ...findShort(text)];
  };
  const find = (text: string): FoundSecret[] =>
    apart(windowsOf(text).flatMap(({ at, part }) => moved(findIn(part), at)));
  return { sought: long.length, find, hide: (text) => withStands(text, find(text)) };
}

/** Secrets to be sought, each with what takes its place. */
export function soughtOf(
  secrets: Iterable<readonly [secret: string, stand: string]>,
  isWholeOnly: (stand: string) => boolean = () => false,
): SoughtSecret[] {
  return [...secrets].map(([secret, stand]) => ({ secret, stand, isWholeOnly: isWholeOnly(stand) }));
}

/** How many layers of escapes are taken off: JSON in JSON in JSON, two of the sender's own in it, and one of a report's. */
const mostEscapes = 6;
const mostEncodings = 2;

/** A reading of a text. */
interface Layer extends TextReading {
  /** Whether it differs from another one only by what is left out anyway. */
  readonly isJoined?: boolean;
}

/** Every way in which a text may be read. */
function layersOf(reading: TextReading, possible: PossibleBytes, encodings = 0): Layer[] {
  const peeled = peeledFrom(reading);
  if (encodings === mostEncodings) return peeled;
  // No digit of base64 or of a hexadecimal number is part of an escape: the last reading has them all.
  const inner = decoded(peeled.at(-1) ?? reading, possible).flatMap((bytes) =>
    layersOf(bytes, possible, encodings + 1),
  );
  return [...peeled, ...inner];
}

/** A reading, and what it is without line breaks and escapes, one layer after the other. */
function peeledFrom(reading: TextReading): Layer[] {
  const peeled: Layer[] = [reading];
  for (let layer = 0; layer < mostEscapes; layer += 1) {
    const apart = withoutNuls(peeled.at(-1) ?? reading);
    if (apart) peeled.push(apart);
    const whole = joined(peeled.at(-1) ?? reading);
    if (whole) peeled.push({ ...whole, isJoined: true });
    const inner = unescaped(peeled.at(-1) ?? reading);
    if (!inner) break;
    peeled.push(inner);
  }
  return peeled;
}

function foundAt(text: string, { places, ways }: TextReading, { start, end, sought, isWhole }: Hit): FoundSecret {
  const [first, last] = [places?.from[start] ?? 0, places?.to[end - 1] ?? 0];
  const isExact = last - first === sought.secret.length && text.startsWith(sought.secret, first);
  return { from: first, to: last, stand: sought.stand, isWhole, isExact, ways };
}

/** A stretch of a text that is read at once, and how much two of them share: what a long secret takes, twice escaped. */
const windowLength = 256 * 1024;
const sharedLength = 16 * 1024;

function windowsOf(text: string): { at: number; part: string }[] {
  if (text.length <= windowLength) return [{ at: 0, part: text }];
  const step = windowLength - sharedLength;
  return Array.from({ length: Math.ceil(text.length / step) }, (_, index) => ({
    at: index * step,
    part: text.slice(index * step, index * step + windowLength),
  }));
}

function moved(found: readonly FoundSecret[], by: number): FoundSecret[] {
  return found.map((one) => ({ ...one, from: one.from + by, to: one.to + by }));
}

/** Stretches that overlap as one, under the name of the longest; of two, under that of which it is the exact text. */
function apart(found: readonly FoundSecret[]): FoundSecret[] {
  const merged: FoundSecret[] = [];
  let best: FoundSecret | undefined;
  for (const one of found.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (!last || !best || one.from >= last.to) {
      merged.push(one);
      best = one;
      continue;
    }
    if (rank(one, best) > 0) best = one;
    merged[merged.length - 1] = { ...best, from: last.from, to: Math.max(last.to, one.to) };
  }
  return merged;
}

/** Above 0 where the first tells more of what stands there than the second. */
function rank(one: FoundSecret, other: FoundSecret): number {
  return (
    one.to - one.from - (other.to - other.from) ||
    Number(one.isExact) - Number(other.isExact) ||
    Number(one.isWhole) - Number(other.isWhole)
  );
}

/** A text with what stands for each secret that was found in it. */
export function withStands(text: string, found: readonly FoundSecret[]): string {
  let [hidden, at] = ['', 0];
  for (const { from, to, stand } of found) {
    hidden += text.slice(at, from) + stand;
    at = to;
  }
  return hidden + text.slice(at);
}

/** Whether a text holds another one. */
type Holder = (part: string) => boolean;

/** The texts of the contract are asked for by every check. */
const holders = new Map<string, Holder>();
const mostHolders = 100;

function holderOf(text: string): Holder {
  const holder = holders.get(text) ?? newHolder(foldedText(text));
  if (holders.size < mostHolders) holders.set(text, holder);
  return holder;
}

/** Longest text whose parts are all remembered; of a longer one they would take too much memory. */
const longestRemembered = 300_000;

function newHolder(text: string): Holder {
  if (text.length > longestRemembered) return (part) => text.includes(part);
  const parts = new Set(Array.from({ length: text.length }, (_, at) => text.slice(at, at + leastPart)));
  return (part) => (part.length === leastPart ? parts.has(part) : text.includes(part));
}

function foldedText(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}
