import { readingWriter, type TextReading, type ReadingWriter } from './reading.ts';

/**
 * A reading without what breaks a text into pieces: line breaks and the indentation behind them, what stands between two quoted
 * pieces of one text (`" + "`), and the NULs of UTF-16. `undefined` where nothing is broken.
 */
export function joined(reading: TextReading): TextReading | undefined {
  return without(reading, breakAt);
}

/** A reading without the NULs of UTF-16: quotes that are of a text stay in it. `undefined` where there are none. */
export function withoutNuls(reading: TextReading): TextReading | undefined {
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
