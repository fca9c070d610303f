import { readFileSync } from 'node:fs';
import { isResults } from '../schemas/is-results.ts';
import type { Results } from '../schemas/results.ts';
import { fileErrorCode } from './file-error.ts';
import { SettingError } from './setting-error.ts';
import { nearest } from './unknown-settings.ts';

const resultsFormat = 'nfe-conformance/results@1';

/**
 * Why each known deviation is accepted for now, by clause id: the file that NFE_KNOWN_DEVIATIONS names.
 * @throws {SettingError} for a file that can't be read, has another shape, or names a clause that is not among `clauseIds`.
 */
export function readKnownDeviations(path: string, clauseIds: readonly string[]): Record<string, string> {
  const takes = 'a JSON file of the form {"<clause id>": "reason or ticket"}';
  const content = readJson('NFE_KNOWN_DEVIATIONS', takes, path);
  if (!isRecord(content)) throw new SettingError(`NFE_KNOWN_DEVIATIONS takes ${takes}: ${path} holds no JSON object`);
  return Object.fromEntries(
    Object.entries(content).map(([id, reason]) => {
      if (!clauseIds.includes(id)) throw new SettingError(unknownClause(id, path, clauseIds));
      if (typeof reason === 'string' && reason.trim() !== '') return [id, reason];
      throw new SettingError(`NFE_KNOWN_DEVIATIONS takes ${takes}: ${id} in ${path} has no reason`);
    }),
  );
}

/**
 * The results of an earlier run: the file that NFE_BASELINE names.
 * @throws {SettingError} for a file that can't be read or is not a `results.json` of this format.
 */
export function readBaseline(path: string): Results {
  const takes = `the results.json of an earlier run (format ${resultsFormat})`;
  const content = readJson('NFE_BASELINE', takes, path);
  if (isResults(content)) return content;
  throw new SettingError(`NFE_BASELINE takes ${takes}: ${path} is another file`);
}

/** What a JSON file holds; errors repeat nothing of it, since the path may lead to a file of secrets. */
function readJson(setting: string, takes: string, path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new SettingError(`${setting} takes ${takes}: ${path} can't be read (${fileErrorCode(error)})`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new SettingError(`${setting} takes ${takes}: ${path} is not JSON`);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unknownClause(id: string, path: string, clauseIds: readonly string[]): string {
  const meant = nearest(id, clauseIds, Math.floor(id.length / 3));
  const hint = meant ? `did you mean ${meant}?` : 'it takes ids of the catalogue only';
  return `NFE_KNOWN_DEVIATIONS: ${path} lists ${JSON.stringify(id)}, which is no clause: ${hint}`;
}
