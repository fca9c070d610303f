import { clauseResult } from './clause-result.ts';
import type { ClauseResult } from './results.ts';
import { validator } from './validate.ts';

const faultsOf = validator({ ...clauseResult, $id: 'clause-result' });

/** Whether a value is what a results file of this format holds of a clause. */
export function isClauseResult(value: unknown): value is ClauseResult {
  return faultsOf(value).length === 0;
}
