import { readFileSync } from 'node:fs';
import { isResults } from '../schemas/is-results.ts';
import type { Results } from '../schemas/results.ts';
import { ArgumentError } from './argument-error.ts';
import { fileErrorCode } from './file-error.ts';

/** The results in a file. Throws an ArgumentError that repeats nothing of it, since the path may lead to secrets. */
export function readResultsFile(path: string): Results {
  const content = jsonOf(path, textOf(path));
  if (isResults(content)) return content;
  throw notResults(path);
}

/** Says that a file holds something else. */
export function notResults(path: string): ArgumentError {
  return new ArgumentError(`${path} is not a results.json of this suite (format nfe-conformance/results@1)`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArgumentError(`${path} is not JSON`);
  }
}
