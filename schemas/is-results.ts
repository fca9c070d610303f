import { results, type Results } from './results.ts';
import { firstFault, validator } from './validate.ts';

/** What keeps a value from being a results file of this format, one sentence a fault. */
export const faultsOfResults = validator(results);

/** Whether a value is a results file of this format. */
export function isResults(value: unknown): value is Results {
  return faultsOfResults(value).length === 0;
}

/** Where such a value first departs from the schema, and how, without anything that it holds: "/clauses/3/id is missing". */
export function firstFaultOfResults(value: unknown): string {
  return firstFault({ ...results, $id: 'results-fault' }, value) ?? 'no fault';
}
