import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { readHistory, type History } from '../../reports/history.ts';
import type { HistoryLine } from '../../schemas/stored.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { fileErrorCode } from './file-error.ts';

/** Runs that a history keeps at least: about three years of nights. */
const mostRuns = 1000;

/** How many times as many it may hold before it is cut: each cut might cost the line of another run. */
const slack = 1.1;

/** The runs in a history file; none where there is no file yet. Throws an ArgumentError where it can't be read. */
export function readHistoryFile(path: string): History {
  return readHistory(textOf(path));
}

/**
 * Adds a run to a history, of which the last runs are kept. One that is there already, since a job was repeated, stays one
 * line. Makes file and folder where there are none. Throws an ArgumentError where it can't, or where the file is no history.
 * Several runs may add themselves at once. Only where one of them cuts the file, at a tenth more than `most` lines, can the
 * line of another be lost: if it is written in the instant between the last look at the file and its replacement.
 */
export function addRun(path: string, run: HistoryLine, most: number = mostRuns): void {
  const { runs, unreadable } = readHistoryFile(path);
  if (runs.length === 0 && unreadable > 0) {
    throw new ArgumentError(`${path} holds text and not one run: it is no history, and nothing is added to it`);
  }
  const text = JSON.stringify(run);
  if (runs.some((known) => JSON.stringify(known) === text)) return;
  orRefuse(path, () => {
    mkdirSync(dirname(path), { recursive: true });
    appendLine(path, text);
    if (runs.length + unreadable >= most * slack) keepLast(path, most);
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return '';
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

function orRefuse(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    if (error instanceof ArgumentError) throw error;
    throw new ArgumentError(`${path} can't be written (${fileErrorCode(error)})`);
  }
}

/** In one write, so that two writers don't mix their lines; a line that a crash tore stays a line of its own. */
function appendLine(path: string, text: string): void {
  const file = openSync(path, 'a+');
  try {
    const line = Buffer.from(`${endsTorn(file) ? '\n' : ''}${text}\n`);
    const written = writeSync(file, line);
    if (written < line.length) throw new ArgumentError(`${path} took only a part of the run: is the disk full?`);
  } finally {
    closeSync(file);
  }
}

/** A reader sees the file as it was or as it will be, nothing between; what others add meanwhile is kept. */
function keepLast(path: string, most: number): void {
  const part = `${path}.${process.pid}.part`;
  let bytes: number;
  do {
    bytes = statSync(path).size;
    const lines = textOf(path)
      .split('\n')
      .filter((line) => line.trim() !== '');
    writeFileSync(part, `${lines.slice(-most).join('\n')}\n`);
  } while (statSync(path).size !== bytes);
  renameSync(part, path);
}

function endsTorn(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, size - 1);
  return last.toString() !== '\n';
}
