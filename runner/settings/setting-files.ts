import type { Results } from '../../schemas/results.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { readResultsFile } from '../results/results-file.ts';
import { SettingError } from './setting-error.ts';

/**
 * The results of an earlier run, as far as a report compares with them: the file that NFE_BASELINE names.
 * @throws {SettingError} for a file that can't be read or is not a `results.json` of this format.
 */
export function readBaseline(path: string): Results {
  try {
    return readResultsFile(path);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new SettingError(`NFE_BASELINE takes the results.json of an earlier run: ${error.message}`);
  }
}
