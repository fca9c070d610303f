import { closeSync, openSync, readSync } from 'node:fs';
import { isResults } from '../schemas/is-results.ts';
import { isClauseResult } from '../schemas/is-clause-result.ts';
import type { CheckResult, Results } from '../schemas/results.ts';
import { ArgumentError } from './argument-error.ts';
import { fileErrorCode } from './file-error.ts';
import { elementReader } from './json-elements.ts';
import { notResults } from './results-file.ts';

const pieceBytes = 8 * 1024 * 1024;

/**
 * The results in a file as far as reports show them: the evidence of failures whole, of checks that passed a sample. However
 * large the file, little more is held at a time than what is kept. Throws an ArgumentError as `readResultsFile` does.
 */
export function readSampledResults(path: string): Results {
  const clauses: unknown[] = [];
  const reader = elementReader('clauses', (text) => clauses.push(sampled(parsed(path, text))));
  for (const piece of piecesOf(path)) reader.take(piece);
  const rest = parsed(path, reader.rest());
  const whole: unknown = typeof rest === 'object' && rest !== null ? { ...rest, clauses } : rest;
  if (isResults(whole)) return whole;
  throw notResults(path);
}

function* piecesOf(path: string): Generator<Buffer> {
  const file = openedOrRefused(path);
  try {
    const piece = Buffer.alloc(pieceBytes);
    for (let length = readSync(file, piece); length > 0; length = readSync(file, piece)) {
      yield piece.subarray(0, length);
    }
  } finally {
    closeSync(file);
  }
}

function openedOrRefused(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArgumentError(`${path} is not JSON`);
  }
}

function sampled(clause: unknown): unknown {
  return isClauseResult(clause) ? { ...clause, checks: clause.checks.map(sampledCheck) } : clause;
}

/** Of a check that passed, the last exchange and how many there were; any other check as it is. */
function sampledCheck(check: CheckResult): CheckResult {
  const { state, exchanges = [], exchangesMade = exchanges.length } = check;
  if (state !== 'passed' || exchanges.length <= 1) return check;
  return { ...check, exchangesMade, exchanges: exchanges.slice(-1) };
}
