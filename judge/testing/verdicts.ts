import type { ClauseId } from '../../contract/catalogue.ts';
import { observationsOf } from '../judge.ts';
import { recordOf, type RecordWish } from './records.ts';

/** The clauses that such an exchange breaks. */
export function brokenBy(wish: RecordWish): ClauseId[] {
  return observationsOf(recordOf(wish)).flatMap(({ clause, broken }) => (broken ? [clause] : []));
}

/** The clauses that such an exchange is seen to keep. */
export function keptBy(wish: RecordWish): ClauseId[] {
  return observationsOf(recordOf(wish)).flatMap(({ clause, broken }) => (broken ? [] : [clause]));
}
