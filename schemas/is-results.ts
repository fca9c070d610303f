import { results, type Results } from './results.ts';
import { validator } from './validate.ts';

const faultsOf = validator(results);

/** Whether a value is a results file of this format. */
export function isResults(value: unknown): value is Results {
  return faultsOf(value).length === 0;
}
