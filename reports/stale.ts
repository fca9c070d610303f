import type { ClauseResult } from '../schemas/results.ts';

/** A clause that fails only since the list of known deviations names it, although it holds. */
export function isStale(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && clause.checks.every((check) => check.state !== 'failed');
}

/** A failed clause of which a check failed. */
export function isBroken(clause: ClauseResult): boolean {
  return clause.verdict === 'failed' && !isStale(clause);
}
