import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

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

/** Runs `work` as one transaction: all of it is kept, or none. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    // Where the disk is full SQLite has ended it by itself.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** Kept at most, before it begins anew. */
const mostKept = 1_000;

/** What was read of a table, by its key, until something is written there. */
export class Remembered<T extends object> {
  readonly #database: DatabaseSync;
  readonly #known = new Map<string, T>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** What is known of that key, or else what is read now; kept where it may be. */
  of(key: string, read: () => T | undefined, mayBeKept: (found: T) => boolean = () => true): T | undefined {
    const known = this.#known.get(key);
    if (known) return known;
    const found = read();
    // What a transaction has written may be undone yet.
    if (found && !this.#database.isTransaction && mayBeKept(found)) {
      if (this.#known.size >= mostKept) this.forget();
      this.#known.set(key, found);
    }
    return found;
  }

  /** To be called with each write. */
  forget(): void {
    this.#known.clear();
  }
}

/** SQLite's codes for a disk that takes nothing more, or fails. */
const full = 13;
const inputOutput = 10;

/** What is wrong with the disk of the data file, where that is why `error` was thrown. */
export function storageFailure(error: unknown): string | undefined {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  if (code === full) return 'the disk of the data file is full: nothing is kept until there is room';
  return code === inputOutput ? 'the disk of the data file fails: nothing is kept until it works again' : undefined;
}
