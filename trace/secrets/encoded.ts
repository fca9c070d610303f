import { gap, hexDigit, readingWriter, type Reading, type ReadingWriter, type Way } from './reading.ts';

/** A way to write bytes as characters. */
interface Encoding {
  readonly way: Way;
  /** Bits that a digit holds. */
  readonly bits: 4 | 6;
  /** What a digit is worth; -1 of what is none. */
  readonly digit: (code: number) => number;
  /** Least digits of a run that is looked at: those of 8 bytes. */
  readonly least: number;
  /** What may stand between two digits of a run, beside line breaks, quotes and the like. */
  readonly between: (code: number) => boolean;
}

const base64: Encoding = { way: 'base64', bits: 6, digit: base64Digit, least: 11, between: () => false };
const hexadecimal: Encoding = {
  way: 'hexadecimal',
  bits: 4,
  digit: hexDigit,
  least: 16,
  // `61 62`, `61:62`, `61-62`
  between: (code) => code === 0x20 || code === 0x3a || code === 0x2d,
};

/**
 * What base64 and hexadecimal in a reading stand for, as bytes: one reading for each digit at which a group of digits may begin, since
 * what stands before it may look like a part of it. A run may be broken into lines, quoted, or written in UTF-16.
 */
export function decoded(reading: Reading): Reading[] {
  return [base64, hexadecimal].flatMap((encoding) => decodedFrom(reading, encoding));
}

function decodedFrom(reading: Reading, encoding: Encoding): Reading[] {
  const runs = runsOf(reading.codes, encoding);
  if (runs.length === 0) return [];
  const digitsOfGroup = encoding.bits === 6 ? 4 : 2;
  return Array.from({ length: digitsOfGroup }, (_, skipped) => bytesOf(reading, runs, encoding, skipped));
}

/** Where the digits of a long run stand. */
type DigitRun = Int32Array;

function runsOf(codes: Uint16Array, { digit, between, least }: Encoding): DigitRun[] {
  const runs: DigitRun[] = [];
  const places = new Int32Array(codes.length);
  let [start, end] = [0, 0];
  let isBroken = false;
  const endRun = (): void => {
    if (end - start >= least) runs.push(places.subarray(start, end));
    start = end;
  };
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? gap;
    if (digit(code) >= 0) {
      places[end] = at;
      end += 1;
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

function bytesOf(reading: Reading, runs: readonly DigitRun[], encoding: Encoding, skipped: number): Reading {
  const digits = runs.reduce((sum, { length }) => sum + length, 0);
  const writer = readingWriter(Math.ceil((digits * encoding.bits) / 8) + runs.length, reading);
  for (const run of runs) {
    putBytes(writer, reading, run.subarray(skipped), encoding);
    writer.put(gap, 0, 0);
  }
  return writer.reading([...reading.ways, encoding.way]);
}

function putBytes(writer: ReadingWriter, { codes }: Reading, run: DigitRun, encoding: Encoding): void {
  let [value, bits, start] = [0, 0, 0];
  for (const at of run) {
    if (bits === 0) start = at;
    value = (value << encoding.bits) | encoding.digit(codes[at] ?? gap);
    bits += encoding.bits;
    if (bits < 8) continue;
    bits -= 8;
    writer.put(value >> bits, start, at);
    value &= (1 << bits) - 1;
    start = at;
  }
}

/** Both alphabets of base64: `+/` and `-_`. */
function base64Digit(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code - 0x41;
  if (code >= 0x61 && code <= 0x7a) return code - 0x61 + 26;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 52;
  if (code === 0x2b || code === 0x2d) return 62;
  return code === 0x2f || code === 0x5f ? 63 : -1;
}
