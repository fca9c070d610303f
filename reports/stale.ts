import type { ClauseResult } from '../schemas/results.ts';

/** A clause that only the list of known deviations fails, since an entry names what holds, or has run out. */
export function isStale(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && clause.checks.every((check) => check.state !== 'failed' || check.covered);
}

/** A failed clause of which a check failed in a way that the list does not cover. */
export function isBroken(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && !isStale(clause);
}
