import { results, type Results } from './results.ts';
import { validator } from './validate.ts';

/** What keeps a value from being a results file of this format, one sentence a fault. */
export const faultsOfResults = validator(results);

/** Whether a value is a results file of this format. */
export function isResults(value: unknown): value is Results {
  return faultsOfResults(value).length === 0;
}
