import { decodeHTML } from 'entities';

/** How a reading was made of another: what a text is wrapped in, or what was put between its characters. */
export type Wrapping = 'escapes' | 'base64' | 'hexadecimal' | 'numbers';

/** A text as it reads once something was taken off it. */
export interface TextReading {
  /** UTF-16 units; of what was decoded from bytes, a unit is a byte. */
  readonly codes: Uint16Array;
  /** The stretch of the original text that each unit stands for; absent where nobody asks where something is. */
  readonly places?: Places;
  /** What was taken off, outermost first. */
  readonly ways: readonly Wrapping[];
}

/** Where in the original text the stretch of each unit begins, and before where it ends. */
interface Places {
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** A text as it stands. */
export function plainReading(text: string): TextReading {
  const from = new Int32Array(text.length);
  const to = new Int32Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    from[at] = at;
    to[at] = at + 1;
  }
  return { ...unplacedReading(text), places: { from, to } };
}

/** A text as it stands, of which nobody asks where something is. */
export function unplacedReading(text: string): TextReading {
  const bytes = Buffer.from(text, 'utf16le');
  const isAligned = bytes.byteOffset % 2 === 0;
  const { buffer, byteOffset } = isAligned ? bytes : { buffer: Uint8Array.from(bytes).buffer, byteOffset: 0 };
  return { codes: new Uint16Array(buffer, byteOffset, text.length), ways: [] };
}

/** Writes a reading, unit by unit. */
export interface ReadingWriter {
  /** Writes a unit that stands for units of another reading: those from `first` to `last`. */
  put(code: number, first: number, last: number): void;
  /** Writes units of the other reading as they are: from `first` to before `end`. */
  copy(first: number, end: number): void;
  /** How many units are written. */
  length(): number;
  /** Takes back what was written behind so many units. */
  backTo(length: number): void;
  reading(ways: readonly Wrapping[]): TextReading;
}

/** Between stretches that don't belong together; no text holds this unit. */
export const gap = 0xffff;

/** A writer with room for so many units, which are made of those of another reading. */
export function readingWriter(room: number, source: TextReading): ReadingWriter {
  const { places } = source;
  const codes = new Uint16Array(room);
  const [starts, ends] = places ? [new Int32Array(room), new Int32Array(room)] : [];
  let length = 0;
  return {
    put(code, first, last) {
      codes[length] = code;
      if (places && starts && ends) {
        starts[length] = places.from[first] ?? 0;
        ends[length] = places.to[last] ?? 0;
      }
      length += 1;
    },
    copy(first, end) {
      codes.set(source.codes.subarray(first, end), length);
      if (places && starts && ends) {
        starts.set(places.from.subarray(first, end), length);
        ends.set(places.to.subarray(first, end), length);
      }
      length += end - first;
    },
    length: () => length,
    backTo(earlier) {
      length = earlier;
    },
    reading(ways) {
      const own = { codes: codes.subarray(0, length), ways };
      return starts && ends
        ? { ...own, places: { from: starts.subarray(0, length), to: ends.subarray(0, length) } }
        : own;
    },
  };
}

/** The unit at a place; -1 beyond the end. */
function codeAt(codes: Uint16Array, at: number): number {
  return codes[at] ?? -1;
}

/** What a hexadecimal digit is worth; -1 of anything else. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** A number of exactly so many hexadecimal digits; -1 where there are not so many. */
function hexNumber(codes: Uint16Array, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = hexDigit(codeAt(codes, index));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

/** Takes a unit that an escape stands for. */
type Emit = (code: number) => void;

/**
 * A reading with one layer of escapes taken off, of every kind at once: those of JSON, JavaScript and C (`\/`, `\u002b`, `\x2b`,
 * `\053`), of XML and HTML (`&amp;`, `&#43;`, `&plus;`), of URLs (`%2B`) and of JSON pointers (`~1`). Bytes stay bytes: `%C3%A9` are
 * two units. `undefined` where nothing is escaped. Only what begins with one of `starts` is taken off.
 */
export function unescaped(reading: TextReading, starts: Starts = allStarts): TextReading | undefined {
  const { codes, ways } = reading;
  const emitted: number[] = [];
  const emit = (unit: number): void => void emitted.push(unit);
  let writer: ReadingWriter | undefined;
  let copied = 0;
  for (let at = 0; at < codes.length; at += 1) {
    if (starts[codes[at] ?? 0] !== 1) continue;
    const length = escapeAt(codes, at, emit);
    if (length === 0) continue;
    writer ??= readingWriter(codes.length, reading);
    writer.copy(copied, at);
    for (const unit of emitted) writer.put(unit, at, at + length - 1);
    emitted.length = 0;
    copied = at + length;
    at = copied - 1;
  }
  writer?.copy(copied, codes.length);
  return writer?.reading([...ways, 'escapes']);
}

const [backslash, percent, ampersand, tilde] = [0x5c, 0x25, 0x26, 0x7e];

/** By unit, 1 where an escape may begin with it. */
type Starts = Uint8Array;

const allStarts = startsWith([backslash, percent, ampersand, tilde]);
/** Without those of URLs and JSON pointers. */
export const textStarts = startsWith([backslash, ampersand]);

function startsWith(codes: readonly number[]): Starts {
  return Uint8Array.from({ length: 0x1_0000 }, (_, code) => (codes.includes(code) ? 1 : 0));
}

/** Emits what the escape at a place stands for; gives its length, 0 where there is none. */
function escapeAt(codes: Uint16Array, at: number, emit: Emit): number {
  const code = codeAt(codes, at);
  if (code === backslash) return backslashAt(codes, at, emit);
  if (code === ampersand) return referenceAt(codes, at, emit);
  if (code === percent) return percentAt(codes, at, emit);
  return pointerAt(codes, at, emit);
}

const letters: Readonly<Record<string, number>> = { n: 10, r: 13, t: 9, b: 8, f: 12, v: 11 };

function backslashAt(codes: Uint16Array, at: number, emit: Emit): number {
  const next = codeAt(codes, at + 1);
  const letter = String.fromCharCode(next);
  if (letter === 'u' && codeAt(codes, at + 2) === 0x7b) return bracedAt(codes, at, emit);
  if (letter === 'u') return hexEscape(codes, at, 2, 4, emit);
  if (letter === 'x') return hexEscape(codes, at, 2, 2, emit);
  if (isOctal(next)) return octalAt(codes, at, emit);
  const control = letters[letter];
  if (control === undefined && !`"'/\\\``.includes(letter)) return 0;
  emit(control ?? next);
  return 2;
}

/** `\u{2b}` */
function bracedAt(codes: Uint16Array, at: number, emit: Emit): number {
  let digits = 0;
  while (digits < 6 && hexDigit(codeAt(codes, at + 3 + digits)) >= 0) digits += 1;
  if (digits === 0 || codeAt(codes, at + 3 + digits) !== 0x7d) return 0;
  emitPoint(hexNumber(codes, at + 3, digits), emit);
  return digits + 4;
}

/** An escape of so many hexadecimal digits behind its first units. */
function hexEscape(codes: Uint16Array, at: number, skipped: number, digits: number, emit: Emit): number {
  const value = hexNumber(codes, at + skipped, digits);
  if (value < 0) return 0;
  emit(value);
  return skipped + digits;
}

/** `\053`, and `\0` alone. */
function octalAt(codes: Uint16Array, at: number, emit: Emit): number {
  const digits = [1, 2, 3].map((index) => codeAt(codes, at + index)).map((code) => (isOctal(code) ? code - 0x30 : -1));
  const [high = -1, middle = -1, low = -1] = digits;
  const value = high * 64 + middle * 8 + low;
  if (Math.min(...digits) >= 0 && value <= 0xff) {
    emit(value);
    return 4;
  }
  if (high !== 0) return 0;
  emit(0);
  return 2;
}

function percentAt(codes: Uint16Array, at: number, emit: Emit): number {
  const isUnit = (codeAt(codes, at + 1) | 0x20) === 0x75;
  return isUnit ? hexEscape(codes, at, 2, 4, emit) : hexEscape(codes, at, 1, 2, emit);
}

function pointerAt(codes: Uint16Array, at: number, emit: Emit): number {
  const digit = codeAt(codes, at + 1) - 0x30;
  if (digit !== 0 && digit !== 1) return 0;
  emit(digit === 0 ? tilde : 0x2f);
  return 2;
}

/** Longest name of a character reference, and most digits of one, with leading zeros. */
const longestReference = 33;

function referenceAt(codes: Uint16Array, at: number, emit: Emit): number {
  const isNumber = codeAt(codes, at + 1) === 0x23;
  const isHex = isNumber && (codeAt(codes, at + 2) | 0x20) === 0x78;
  const start = at + (isHex ? 3 : isNumber ? 2 : 1);
  const isPart = isHex ? (code: number) => hexDigit(code) >= 0 : isNumber ? isDigit : isWordUnit;
  let end = start;
  while (end - start < longestReference && isPart(codeAt(codes, end))) end += 1;
  const hasEnd = codeAt(codes, end) === 0x3b;
  const name = String.fromCharCode(...codes.subarray(start, end));
  if (name === '' || !(isNumber || hasEnd)) return 0;
  const length = end - at + (hasEnd ? 1 : 0);
  if (isNumber) return emitPoint(Number.parseInt(name, isHex ? 16 : 10), emit) ? length : 0;
  const whole = `&${name};`;
  const text = decodeHTML(whole);
  if (text === whole) return 0;
  for (let index = 0; index < text.length; index += 1) emit(text.charCodeAt(index));
  return length;
}

function emitPoint(point: number, emit: Emit): boolean {
  if (!(point <= 0x10_ffff)) return false;
  const text = String.fromCodePoint(point);
  for (let index = 0; index < text.length; index += 1) emit(text.charCodeAt(index));
  return true;
}

function isOctal(code: number): boolean {
  return code >= 0x30 && code <= 0x37;
}

/** Whether that is the code of a digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isWordUnit(code: number): boolean {
  const letter = code | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || isDigit(code);
}
