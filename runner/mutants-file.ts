import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMutantsRecord } from '../schemas/is-mutants-record.ts';
import type { MutantsRecord } from '../schemas/mutants-record.ts';

/** Where `npm run mutants` leaves its record. */
export const mutantsPath = fileURLToPath(new URL('../reports/out/mutants.json', import.meta.url));

/** The record of the mutants that lies beside a report, or else the project's own; `undefined` without either. */
export function mutantsFor(reportDir: string, own: string = mutantsPath): MutantsRecord | undefined {
  return readMutantsFile(join(reportDir, 'mutants.json')) ?? readMutantsFile(own);
}

/** The record of the mutants in a file; `undefined` where there is none, or one of another form: a report does without. */
export function readMutantsFile(path: string): MutantsRecord | undefined {
  const content = contentOf(path);
  return isMutantsRecord(content) ? content : undefined;
}

function contentOf(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}
