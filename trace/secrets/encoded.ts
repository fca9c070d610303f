import { isFiller, leastPart, type Pattern } from './pattern.ts';
import { gap, hexDigit, readingWriter, type TextReading, type ReadingWriter, type Wrapping } from './reading.ts';

/** A way to write bytes as characters. */
interface Encoding {
  readonly way: Wrapping;
  /** Bits that a digit holds. */
  readonly bits: 4 | 6;
  /** By unit, what a digit is worth; -1 of what is none. */
  readonly digits: Int8Array;
  /** Least digits of a run that is looked at: those of 8 bytes. */
  readonly least: number;
  /** What may stand between two digits of a run, beside line breaks, quotes and the like. */
  readonly between: (code: number) => boolean;
}

const base64: Encoding = { way: 'base64', bits: 6, digits: worth(base64Digit), least: 11, between: () => false };
const hexadecimal: Encoding = {
  way: 'hexadecimal',
  bits: 4,
  digits: worth(hexDigit),
  least: 16,
  // `61 62`, `61:62`, `61-62`
  between: (code) => code === 0x20 || code === 0x3a || code === 0x2d,
};

function worth(digit: (code: number) => number): Int8Array {
  return Int8Array.from({ length: 0x1_0000 }, (_, code) => digit(code));
}

/** By byte, 1 of what may be a part of what is sought, as it stands, escaped or encoded once more. */
export type PossibleBytes = Uint8Array;

/** The bytes that these forms, their escapes and encodings, and what is left out of a text are made of. */
export function possibleBytes(forms: readonly Pattern[]): PossibleBytes {
  const ofForms = new Set(forms.flatMap(({ codes }) => [...codes]));
  return Uint8Array.from({ length: 0x100 }, (_, byte) => (byte < 0x80 || isFiller(byte) || ofForms.has(byte) ? 1 : 0));
}

/**
 * What base64, hexadecimal and lists of numbers in a reading stand for, as bytes: one reading for each digit at which a group of
 * digits may begin, since what stands before it may look like a part of it. A run may be broken into lines, quoted, or written in
 * UTF-16. Stretches in which nothing of what is sought can be are left out: most of what looks encoded are words.
 */
export function decoded(reading: TextReading, possible: PossibleBytes): TextReading[] {
  return [
    ...[base64, hexadecimal].flatMap((encoding) => decodedFrom(reading, encoding, possible)),
    ...numbered(reading, possible),
  ];
}

/** What lists of bytes as decimal numbers stand for, as Node and Java write them: `[81,122,55]`, `81 122 55`. */
function numbered(reading: TextReading, possible: PossibleBytes): TextReading[] {
  const { codes } = reading;
  const writer = readingWriter(Math.ceil(codes.length / 2) + 1, reading);
  let stretch = 0;
  const endStretch = (): void => {
    if (writer.length() - stretch < leastPart) writer.backTo(stretch);
    else writer.put(gap, 0, 0);
    stretch = writer.length();
  };
  for (let at = 0; at < codes.length; at += 1) {
    const from = at;
    let byte = 0;
    for (; isDecimal(codes[at]); at += 1) byte = Math.min(byte * 10 + (codes[at] ?? 0) - zero, 0x100);
    if (at > from && possible[byte] === 1) writer.put(byte, from, at - 1);
    else if (at > from) endStretch();
    if (!isBetweenNumbers(codes[at] ?? gap)) endStretch();
  }
  endStretch();
  return writer.length() === 0 ? [] : [writer.reading([...reading.ways, 'numbers'])];
}

const [zero, nine, comma, semicolon, space] = [0x30, 0x39, 0x2c, 0x3b, 0x20];

function isDecimal(code: number | undefined): boolean {
  return code !== undefined && code >= zero && code <= nine;
}

function isBetweenNumbers(code: number): boolean {
  return code === comma || code === semicolon || code <= space;
}

function decodedFrom(reading: TextReading, encoding: Encoding, possible: PossibleBytes): TextReading[] {
  const runs = runsOf(reading.codes, encoding);
  if (runs.length === 0) return [];
  const digitsOfGroup = encoding.bits === 6 ? 4 : 2;
  return Array.from({ length: digitsOfGroup }, (_, skipped) =>
    bytesOf(reading, runs, { encoding, skipped, possible }),
  ).filter(({ codes }) => codes.length > 0);
}

/** Where a long run of digits stands: what else is between them is skipped. */
interface DigitRun {
  readonly from: number;
  /** Behind its last digit. */
  readonly to: number;
}

function runsOf(codes: Uint16Array, { digits, between, least }: Encoding): DigitRun[] {
  const runs: DigitRun[] = [];
  let [from, to, count] = [0, 0, 0];
  let isBroken = false;
  const endRun = (): void => {
    if (count >= least) runs.push({ from, to });
    count = 0;
  };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? gap;
    if ((digits[code] ?? -1) >= 0) {
      if (count === 0) from = at;
      count += 1;
      to = at + 1;
      isBroken = false;
    } else if (isBreak(code)) isBroken = true;
    // A line may begin with spaces; words with spaces between them are not one run.
    else if (!between(code) && !(code === 0x20 && isBroken)) endRun();
  }
  endRun();
  return runs;
}

/** What a writer puts into a long text to break or to quote it; NUL is half a character of UTF-16. */
function isBreak(code: number): boolean {
  return code === 0 || code === 9 || code === 10 || code === 13 || code === 0x22 || code === 0x27 || code === 0x5c;
}

/** How runs are read: from which of their digits on, and what of it is of interest. */
interface Decoding {
  readonly encoding: Encoding;
  readonly skipped: number;
  readonly possible: PossibleBytes;
}

function bytesOf(reading: TextReading, runs: readonly DigitRun[], decoding: Decoding): TextReading {
  const { bits, way } = decoding.encoding;
  const units = runs.reduce((sum, { from, to }) => sum + to - from, 0);
  const writer = readingWriter(Math.ceil((units * bits) / 8) + runs.length, reading);
  for (const run of runs) putBytes(writer, reading, run, decoding);
  return writer.reading([...reading.ways, way]);
}

/** Writes the bytes of a run, those stretches of it that are long enough to hold a part of a secret, with a gap behind each. */
function putBytes(writer: ReadingWriter, { codes }: TextReading, { from, to }: DigitRun, decoding: Decoding): void {
  const { encoding, possible } = decoding;
  let { skipped } = decoding;
  let [value, bits, start] = [0, 0, 0];
  let stretch = writer.length();
  const endStretch = (): void => {
    if (writer.length() - stretch < leastPart) writer.backTo(stretch);
    else writer.put(gap, 0, 0);
    stretch = writer.length();
  };
  for (let at = from; at < to; at += 1) {
    const digit = encoding.digits[codes[at] ?? gap] ?? -1;
    if (digit < 0 || skipped > 0) {
      if (digit >= 0) skipped -= 1;
      continue;
    }
    if (bits === 0) start = at;
    value = (value << encoding.bits) | digit;
    bits += encoding.bits;
    if (bits < 8) continue;
    bits -= 8;
    const byte = value >> bits;
    if (possible[byte] === 1) writer.put(byte, start, at);
    else endStretch();
    value &= (1 << bits) - 1;
    start = at;
  }
  endStretch();
}

/** Both alphabets of base64: `+/` and `-_`. */
function base64Digit(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}
