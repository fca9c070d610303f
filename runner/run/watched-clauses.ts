import { mustJudged, catalogue } from '../../contract/catalogue.ts';
import type { Run } from '../../targets/address.ts';
import { mayIssueForReal } from '../../targets/needs-met.ts';
import type { WatchedRun } from './progress.ts';

/** The clauses by which a run shows how far it is: its must clauses, or all of them where it was asked for no must clause. */
export function watchedClauses({ clauses, address }: Run): Pick<WatchedRun, 'clauses' | 'clauseWord'> {
  const asked = catalogue.filter(({ id }) => clauses.includes(id));
  const must = mustJudged(asked, mayIssueForReal(address)).map(({ id }) => id);
  return must.length > 0 ? { clauses: must, clauseWord: 'must clause' } : { clauses, clauseWord: 'clause' };
}
