/** How a reading was made of another: what a text is wrapped in, or what was put between its characters. */
export type Wrapping = 'escapes' | 'base64' | 'hexadecimal';

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
export interface Places {
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
export function codeAt(codes: Uint16Array, at: number): number {
  return codes[at] ?? -1;
}

/** What a hexadecimal digit is worth; -1 of anything else. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** A number of exactly so many hexadecimal digits; -1 where there are not so many. */
export function hexNumber(codes: Uint16Array, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    const digit = hexDigit(codeAt(codes, index));
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}
