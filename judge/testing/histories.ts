import type { TraceRecord } from '../../trace/records.ts';
import { isStanding, openJudge } from '../judge.ts';

/** The clauses that a history is seen to break, of these where some are named; what single records show of it is no part of that. */
export function brokenByHistory(records: readonly TraceRecord[], of?: readonly string[]): string[] {
  return clausesOf(records, true, of);
}

/** The same of those that it is seen to keep. */
export function keptByHistory(records: readonly TraceRecord[], of?: readonly string[]): string[] {
  return clausesOf(records, false, of);
}

function clausesOf(records: readonly TraceRecord[], isBroken: boolean, of: readonly string[] | undefined): string[] {
  const judge = openJudge();
  const seen = [...records.flatMap((record) => judge.see(record, [])), ...judge.end()];
  const standing = seen.filter(isStanding);
  const clauses = standing.filter(({ broken }) => (broken !== undefined) === isBroken).map(({ clause }) => clause);
  return [...new Set(clauses)].filter((clause) => of?.includes(clause) ?? true);
}
