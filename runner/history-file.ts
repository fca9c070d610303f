import { closeSync, fstatSync, mkdirSync, openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { readHistory, type History } from '../reports/history.ts';
import type { HistoryLine } from '../schemas/history.ts';
import { ArgumentError } from './argument-error.ts';
import { fileErrorCode } from './file-error.ts';

/** The runs in a history file; none where there is no file yet. Throws an ArgumentError where it can't be read. */
export function readHistoryFile(path: string): History {
  try {
    return readHistory(readFileSync(path, 'utf8'));
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return { runs: [], unreadable: 0 };
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

/**
 * Appends a run in one write, so that two writers don't mix their lines; a line that a crash tore stays a line of its own.
 * Makes file and folder where there are none. Throws an ArgumentError where it can't.
 */
export function appendRun(path: string, run: HistoryLine): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    const file = openSync(path, 'a+');
    try {
      const line = Buffer.from(`${endsTorn(file) ? '\n' : ''}${JSON.stringify(run)}\n`);
      const written = writeSync(file, line);
      if (written < line.length) throw new ArgumentError(`${path} took only a part of the run: is the disk full?`);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof ArgumentError) throw error;
    throw new ArgumentError(`${path} can't be written (${fileErrorCode(error)})`);
  }
}

function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}
