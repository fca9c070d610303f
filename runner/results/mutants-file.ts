import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMutantsRecord, type MutantsRecord } from '../../schemas/stored.ts';

/** Where `npm run mutants` leaves its record. */
export const mutantsPath = fileURLToPath(new URL('../../reports/out/mutants.json', import.meta.url));

/** What a file says of the mutants. */
type MutantsFile = MutantsRecord | 'unreadable' | undefined;

/**
 * The record of the mutants that lies beside a report, or else the project's own; `unreadable` where neither is of this
 * format, though one is there, and `undefined` without either.
 */
export function mutantsFor(reportDir: string, own: string = mutantsPath): MutantsFile {
  const files = [join(reportDir, 'mutants.json'), own].map(readMutantsFile).filter((file) => file !== undefined);
  return files.find((file) => file !== 'unreadable') ?? files[0];
}

/** The record of the mutants in a file; `unreadable` where it holds something else, `undefined` where there is no file. */
export function readMutantsFile(path: string): MutantsFile {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const content = contentOf(text);
  return isMutantsRecord(content) ? content : 'unreadable';
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function contentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
