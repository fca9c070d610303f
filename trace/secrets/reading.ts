/** How a reading was made of another: what a text is wrapped in, or what was put between its characters. */
export type Way = 'escapes' | 'base64' | 'hexadecimal';

/** A text as it reads once something was taken off it, with the stretch of the original text that each character stands for. */
export interface Reading {
  /** UTF-16 units; of what was decoded from bytes, a unit is a byte. */
  readonly codes: Uint16Array;
  /** Where in the original text the stretch of each unit begins, and where it ends. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** What was taken off, outermost first. */
  readonly ways: readonly Way[];
}

/** A text as it stands. */
export function plainReading(text: string): Reading {
  const { length } = text;
  const codes = new Uint16Array(length);
  const from = new Int32Array(length);
  const to = new Int32Array(length);
  for (let at = 0; at < length; at += 1) {
    codes[at] = text.charCodeAt(at);
    from[at] = at;
    to[at] = at + 1;
  }
  return { codes, from, to, ways: [] };
}

/** Writes a reading, unit by unit. */
export interface ReadingWriter {
  readonly length: () => number;
  put(code: number, from: number, to: number): void;
  reading(ways: readonly Way[]): Reading;
}

/** Between stretches that don't belong together; no text holds this unit. */
export const gap = 0xffff;

/** A writer with room for so many units. */
export function readingWriter(room: number): ReadingWriter {
  const codes = new Uint16Array(room);
  const [starts, ends] = [new Int32Array(room), new Int32Array(room)];
  let length = 0;
  return {
    length: () => length,
    put(code, from, to) {
      codes[length] = code;
      starts[length] = from;
      ends[length] = to;
      length += 1;
    },
    reading: (ways) => ({
      codes: codes.subarray(0, length),
      from: starts.subarray(0, length),
      to: ends.subarray(0, length),
      ways,
    }),
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
