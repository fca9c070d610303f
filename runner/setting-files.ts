import type { Results } from '../schemas/results.ts';
import { ArgumentError } from './argument-error.ts';
import { parsedOf, textIn } from './json-file.ts';
import { readSampledResults } from './sampled-results.ts';
import { SettingError } from './setting-error.ts';
import { nearest } from './unknown-settings.ts';

/**
 * Why each known deviation is accepted for now, by clause id: the file that NFE_KNOWN_DEVIATIONS names.
 * @throws {SettingError} for a file that can't be read, has another shape, or names a clause that is not among `clauseIds`.
 */
export function readKnownDeviations(path: string, clauseIds: readonly string[]): Record<string, string> {
  const takes = 'NFE_KNOWN_DEVIATIONS takes a JSON file of the form {"<clause id>": "reason or ticket"}';
  const content = ofSetting(takes, () => parsedOf(path, textIn(path)));
  if (!isRecord(content)) throw new SettingError(`${takes}: ${path} holds no JSON object`);
  return Object.fromEntries(
    Object.entries(content).map(([id, reason]) => {
      if (!clauseIds.includes(id)) throw new SettingError(unknownClause(id, path, clauseIds));
      if (typeof reason === 'string' && reason.trim() !== '') return [id, reason];
      throw new SettingError(`${takes}: ${id} in ${path} has no reason`);
    }),
  );
}

/**
 * The results of an earlier run, as far as a report compares with them: the file that NFE_BASELINE names.
 * @throws {SettingError} for a file that can't be read or is not a `results.json` of this format.
 */
export function readBaseline(path: string): Results {
  return ofSetting('NFE_BASELINE takes the results.json of an earlier run', () => readSampledResults(path));
}

/** What reading a file gives; where it is refused, the error says what the setting that names the file takes. */
function ofSetting<T>(takes: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new SettingError(`${takes}: ${error.message}`);
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
