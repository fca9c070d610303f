import type { TraceRecord } from '../../trace/records.ts';
import { openJudge } from '../judge.ts';

/** The clauses that a history is seen to break; what single records show of it is no part of that. */
export function brokenByHistory(records: readonly TraceRecord[]): string[] {
  return clausesOf(records, true);
}

/** The clauses that a history is seen to keep. */
export function keptByHistory(records: readonly TraceRecord[]): string[] {
  return clausesOf(records, false);
}

function clausesOf(records: readonly TraceRecord[], isBroken: boolean): string[] {
  const judge = openJudge();
  const seen = records.flatMap((record) => judge.see(record, []));
  return [...new Set([...seen, ...judge.end()].filter(({ broken }) => (broken !== undefined) === isBroken))].map(
    ({ clause }) => clause,
  );
}
