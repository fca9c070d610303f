import type { SQLOutputValue } from 'node:sqlite';

/** A row as SQLite hands it out. */
export type Row = Readonly<Record<string, SQLOutputValue>>;

/** A column that holds text. The tables are STRICT: another type is a mistake in the simulator, and throws. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== 'string') throw unexpected(column, 'text');
  return value;
}

/** A column that holds text or NULL. */
export function nullableTextOf(row: Row, column: string): string | null {
  return row[column] === null ? null : textOf(row, column);
}

/** A column that holds a number. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== 'number') throw unexpected(column, 'a number');
  return value;
}

/** A column that holds a number or NULL. */
export function nullableNumberOf(row: Row, column: string): number | null {
  return row[column] === null ? null : numberOf(row, column);
}

/** A column that holds bytes. */
export function blobOf(row: Row, column: string): Buffer {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw unexpected(column, 'bytes');
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** A column that holds one of these words. */
export function wordOf<T extends string>(row: Row, column: string, words: readonly T[]): T {
  const word = words.find((candidate) => candidate === row[column]);
  if (word === undefined) throw unexpected(column, words.join(' or '));
  return word;
}

function unexpected(column: string, wanted: string): Error {
  return new Error(`the column ${column} of the data file does not hold ${wanted}`);
}
