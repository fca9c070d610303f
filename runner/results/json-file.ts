import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { ArgumentError } from '../command-line/argument-error.ts';
import { fileErrorCode } from './file-error.ts';

const pieceBytes = 1 * 1024 * 1024;

/** What a JSON text from a file says; it may begin with a byte order mark. Throws an ArgumentError that repeats nothing of it. */
export function parsedOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw new ArgumentError(`${path} is not JSON`);
  }
}

/** The text of a file. Throws an ArgumentError. */
export function textIn(path: string): string {
  return orRefused(path, () => readFileSync(path, 'utf8'));
}

/** The bytes of a file, 1 MiB at a time, in a buffer that is used again for the next. Throws an ArgumentError. */
export function* piecesOf(path: string): Generator<Buffer, void> {
  const file = orRefused(path, () => openSync(path, 'r'));
  try {
    const piece = Buffer.alloc(pieceBytes);
    const next = (): number => orRefused(path, () => readSync(file, piece));
    for (let length = next(); length > 0; length = next()) yield piece.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

function orRefused<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}
