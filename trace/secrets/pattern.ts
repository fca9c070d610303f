import { plainReading, readingWriter, type TextReading, unescaped } from './reading.ts';

/** A secret that is sought. */
export interface SoughtSecret {
  readonly secret: string;
  /** What takes its place. */
  readonly stand: string;
  /** Whether only the whole of it counts: of the many that a run makes or receives, parts would be found by chance. */
  readonly isWholeOnly?: boolean;
}

/** One form of a secret, as units to be compared. */
export interface Pattern {
  readonly codes: Uint16Array;
  readonly sought: SoughtSecret;
}

/** Least characters of a part of a secret that is found. */
export const leastPart = 8;

/** Letter case aside: a secret in capitals is still one. */
function folded(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}

/**
 * The forms in which a secret is sought in each reading: as it stands, as bytes of UTF-8 and UTF-16 where that differs, and with
 * the layers taken off that only look like escapes.
 */
export function formsOf(sought: SoughtSecret): Pattern[] {
  const { secret } = sought;
  const wide = Buffer.from(secret, 'utf16le');
  // Of what is ASCII, UTF-16 is the same but for the NULs between the characters, which are left out.
  const others = isAscii(secret) ? [] : [wide, Buffer.from(wide).swap16()].map((bytes) => bytes.toString('latin1'));
  const texts = new Set([secret, ...others].flatMap((text) => [text, Buffer.from(text, 'utf8').toString('latin1')]));
  const read = [...texts].flatMap((text) => {
    const once = unescaped(plainReading(text));
    const twice = once && unescaped(once);
    return [plainReading(text), once, twice].filter((reading) => reading !== undefined);
  });
  return read.map(({ codes }) => ({ codes: codes.map(folded), sought }));
}

/** Whether a form holds what is left out of a text elsewhere, so that it is found only in a text as it stands. */
export function isLoose({ codes }: Pattern): boolean {
  return codes.some(isFiller);
}

/** A form without what is left out of a text as well. */
export function squeezedForm({ codes, sought }: Pattern): Pattern {
  return { codes: codes.filter((_, at) => kept(codes, at) !== leftOut), sought };
}

/** A reading with its letter case put aside. */
export function foldedReading(reading: TextReading): TextReading {
  return { ...reading, codes: reading.codes.map(folded) };
}

/**
 * A reading without white space, quotes, backslashes and NUL, and without a plus that joins two quoted texts; its letter case
 * put aside.
 */
export function squeezed(reading: TextReading): TextReading {
  const { codes, ways } = reading;
  const writer = readingWriter(codes.length, reading);
  for (let at = 0; at < codes.length; at += 1) {
    const code = kept(codes, at);
    if (code !== leftOut) writer.put(code, at, at);
  }
  return writer.reading(ways);
}

/** Of a unit that is left out. */
const leftOut = 0;

/** A unit with its letter case put aside; `leftOut` of white space, quotes and the like, and of a plus between two of them. */
function kept(codes: Uint16Array, at: number): number {
  const code = codes[at] ?? leftOut;
  const isJoining = code === plus && isSeparator(codes[at - 1] ?? plus) && isSeparator(codes[at + 1] ?? plus);
  return isJoining ? leftOut : (keptAs[code] ?? leftOut);
}

const plus = 0x2b;

/** The NULs of UTF-16 separate nothing. */
function isSeparator(code: number): boolean {
  return code !== 0 && isFiller(code);
}

/** Controls and spaces, quotes, the backslash, and what has no width. */
export function isFiller(code: number): boolean {
  if (code < 0x80) return fillers[code] === 1;
  if (code < 0x2000) return code === 0xa0 || code === 0xad;
  return (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202f) || code === 0x2060 || code === 0xfeff;
}

const fillers = Uint8Array.from({ length: 0x80 }, (_, code) =>
  code <= 0x20 || code === 0x7f || `"'\`\\`.includes(String.fromCharCode(code)) ? 1 : 0,
);

/** By unit, the unit without its letter case; `leftOut` where it is left out wherever it stands. */
const keptAs = Uint16Array.from({ length: 0x1_0000 }, (_, code) => (isFiller(code) ? leftOut : folded(code)));

/** By unit, the unit without its letter case. */
const foldedAs = Uint16Array.from({ length: 0x1_0000 }, (_, code) => folded(code));

function isAscii(text: string): boolean {
  return Buffer.byteLength(text, 'utf8') === text.length;
}

/** Where a pattern was found: the units of a text from `start` to before `end`. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly sought: SoughtSecret;
  readonly isWhole: boolean;
}

/** Finds patterns, or parts of them. */
interface PatternIndex {
  /** Whether there may be one in a text as it stands, or with what is left out: quick, and wrong at times. */
  readonly mayBeIn: (codes: Uint16Array, isSqueezed: boolean) => boolean;
  /** Finds them in a text whose letter case was put aside. */
  readonly find: (codes: Uint16Array, hit: (found: Hit) => void) => void;
}

/** A place of a pattern at which eight units of it begin. */
interface Place {
  readonly form: Pattern;
  readonly at: number;
  /** Whether what is found there counts only where it grows to the whole of the pattern. */
  readonly isWholeOnly: boolean;
}

const base = 31;
const leavingFactor = Array.from({ length: leastPart - 1 }).reduce<number>((factor) => Math.imul(factor, base), 1);

/**
 * Looks for all patterns at once, by the hash of each eight units of a text: what a text costs does not grow with the number of
 * patterns. Eight units that `isCommon` are no sign of a secret.
 */
export function patternIndex(patterns: readonly Pattern[], isCommon: (part: string) => boolean): PatternIndex {
  const table = Map.groupBy(placesOf(patterns, isCommon), ({ form, at }) => hashAt(form.codes, at));
  if (table.size === 0) return { mayBeIn: () => false, find: () => undefined };
  const { seen, shift } = filterOf([...table.keys()]);
  return {
    mayBeIn(codes, isSqueezed) {
      // Written out, since most of what a mask costs is spent here.
      const last = new Uint16Array(leastPart);
      const units = isSqueezed ? keptAs : foldedAs;
      let [hash, next] = [0, 0];
      for (let at = 0; at < codes.length; at += 1) {
        const code = units[codes[at] ?? 0] ?? leftOut;
        if (isSqueezed && (code === leftOut || (code === plus && kept(codes, at) === leftOut))) continue;
        hash = (Math.imul((hash - Math.imul(last[next] ?? 0, leavingFactor)) | 0, base) + code) | 0;
        last[next] = code;
        next = (next + 1) & (leastPart - 1);
        if (seen[Math.imul(hash, spread) >>> shift] === 1 && table.has(hash)) return true;
      }
      return false;
    },
    find(codes, hit) {
      const roll = rollingHash();
      let nextFree = 0;
      for (let at = 0; at < codes.length; at += 1) {
        const hash = roll(codes[at] ?? 0);
        const start = at - leastPart + 1;
        const places = start < nextFree ? undefined : table.get(hash);
        if (!places) continue;
        const found = longestOf(places, codes, start);
        for (const one of found) hit(one);
        nextFree = Math.max(nextFree, ...found.map(({ end }) => end - leastPart + 1));
      }
    },
  };
}

/** The hash of the last eight units, one after the other. */
function rollingHash(): (code: number) => number {
  const last = new Uint16Array(leastPart);
  let [hash, next] = [0, 0];
  return (code) => {
    hash = (Math.imul((hash - Math.imul(last[next] ?? 0, leavingFactor)) | 0, base) + code) | 0;
    last[next] = code;
    next = (next + 1) % leastPart;
    return hash;
  };
}

function placesOf(patterns: readonly Pattern[], isCommon: (part: string) => boolean): Place[] {
  return patterns.filter(({ codes }) => codes.length >= leastPart).flatMap((form) => placesIn(form, isCommon));
}

/** The same units are looked for only so often in one form: a secret may be one letter all along. */
const mostAlike = 2;

function placesIn(form: Pattern, isCommon: (part: string) => boolean): Place[] {
  const { codes, sought } = form;
  if (sought.isWholeOnly === true) return [{ form, at: 0, isWholeOnly: true }];
  const seen = new Map<string, number>();
  const places: Place[] = [];
  for (let at = 0; at + leastPart <= codes.length; at += 1) {
    const part = String.fromCharCode(...codes.subarray(at, at + leastPart));
    const times = (seen.get(part) ?? 0) + 1;
    seen.set(part, times);
    const isWholeOnly = times <= mostAlike && isCommon(part);
    if (at === 0 || !(isWholeOnly || times > mostAlike)) places.push({ form, at, isWholeOnly });
  }
  return places;
}

/** The longest stretches of a text that are a part of a pattern, around one of the places: of several patterns where they agree. */
function longestOf(places: readonly Place[], codes: Uint16Array, start: number): readonly Hit[] {
  const found = places.map((place) => grown(place, codes, start)).filter((hit) => hit !== undefined);
  if (found.length < 2) return found;
  const longest = Math.max(...found.map(({ start: from, end }) => end - from));
  return found.filter(({ start: from, end }) => end - from === longest);
}

function grown({ form, at, isWholeOnly }: Place, codes: Uint16Array, start: number): Hit | undefined {
  const wanted = form.codes;
  const isSame = (offset: number): boolean => {
    const index = at + offset;
    const place = start + offset;
    return index >= 0 && index < wanted.length && place >= 0 && place < codes.length && codes[place] === wanted[index];
  };
  let after = 0;
  while (isSame(after)) after += 1;
  if (after < leastPart) return undefined;
  let before = 0;
  while (isSame(before - 1)) before -= 1;
  const isWhole = after - before === wanted.length;
  if (isWholeOnly && !isWhole) return undefined;
  return { start: start + before, end: start + after, sought: form.sought, isWhole };
}

function hashAt(codes: Uint16Array, at: number): number {
  let hash = 0;
  for (const code of codes.subarray(at, at + leastPart)) hash = (Math.imul(hash, base) + code) | 0;
  return hash;
}

const spread = 0x9e37_79b1;

/** By the upper bits of a hash, spread out, whether it may be one of these: a few others pass, too. */
function filterOf(hashes: readonly number[]): { readonly seen: Uint8Array; readonly shift: number } {
  const bits = Math.max(12, Math.ceil(Math.log2(hashes.length * 64)));
  const seen = new Uint8Array(2 ** bits);
  for (const hash of hashes) seen[Math.imul(hash, spread) >>> (32 - bits)] = 1;
  return { seen, shift: 32 - bits };
}
