import type { Progress } from './progress.ts';

const leastGapMs = 10_000;
/** CI systems end a job that has been silent for about ten minutes. */
const longestSilenceMs = 4 * 60_000;

/**
 * Whether a log gets another line of progress after its last one: once ten seconds have passed and a tenth of the clauses
 * is done, but after four minutes in any case.
 */
export function isLineDue(last: Progress | undefined, now: Progress): boolean {
  if (last === undefined) return true;
  const gapMs = now.elapsedMs - last.elapsedMs;
  const tenths = (10 * (now.clausesDone - last.clausesDone)) / now.clausesAll;
  return gapMs >= longestSilenceMs || (gapMs >= leastGapMs && tenths >= 1);
}
