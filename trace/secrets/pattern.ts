import { plainReading, readingWriter, type TextReading } from './reading.ts';
import { unescaped } from './escapes.ts';

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
export const leftOut = 0;

/** A unit with its letter case put aside; `leftOut` of white space, quotes and the like, and of a plus between two of them. */
export function kept(codes: Uint16Array, at: number): number {
  const code = codes[at] ?? leftOut;
  const isJoining = code === plus && isSeparator(codes[at - 1] ?? plus) && isSeparator(codes[at + 1] ?? plus);
  return isJoining ? leftOut : (keptAs[code] ?? leftOut);
}

export const plus = 0x2b;

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
export const keptAs = Uint16Array.from({ length: 0x1_0000 }, (_, code) => (isFiller(code) ? leftOut : folded(code)));

/** By unit, the unit without its letter case. */
export const foldedAs = Uint16Array.from({ length: 0x1_0000 }, (_, code) => folded(code));

function isAscii(text: string): boolean {
  return Buffer.byteLength(text, 'utf8') === text.length;
}
