import type { ClauseVerdict } from '../schemas/results.ts';
import { wasAskedFor, type Judgements } from './earlier.ts';
import { isExercised } from './verdicts.ts';

/** A check by the clause that it judges and its title. */
export interface NamedCheck {
  readonly clause: string;
  readonly name: string;
}

/** What is different from an earlier run, as clause ids in the order of this run. */
export interface Changes {
  /** Failed or warned now and better before; those that only stand on a stale list apart. */
  readonly newlyFailed: readonly string[];
  /** Failed, warned or known before and now, in other ways; those that failed newly apart. */
  readonly brokenOtherwise: readonly string[];
  /** Failed, warned or known before and passed now. */
  readonly fixed: readonly string[];
  /** Exercised before and not now, or gone from the catalogue. */
  readonly stoppedRunning: readonly string[];
  /** Checks that were exercised before and are not now, or are gone, of clauses that still are exercised. */
  readonly stoppedChecks: readonly NamedCheck[];
  /** Exercised now and not before. */
  readonly startedRunning: readonly string[];
  /** Listed as known deviations although they hold. */
  readonly stale: readonly string[];
}

/**
 * Compares a run with an earlier one. A clause that only one of them was asked for is not compared; a run that ended in an
 * error compares with nothing.
 */
export function changesSince(earlier: Judgements, now: Judgements): Changes {
  const pairs = comparable(earlier, now);
  const idsOf = (test: (pair: Pair) => boolean): string[] => pairs.filter(test).map(({ id }) => id);
  return {
    newlyFailed: idsOf(isNewlyFailed),
    brokenOtherwise: idsOf((pair) => !isNewlyFailed(pair) && isBrokenOtherwise(pair, earlier, now)),
    fixed: idsOf(({ before, after }) => badness(before) > 0 && after === 'passed'),
    stoppedRunning: idsOf(({ before, after }) => isExercised(before) && !isExercised(after)),
    stoppedChecks: stoppedChecks(earlier, now),
    startedRunning: idsOf(({ before, after }) => !isExercised(before) && isExercised(after)),
    stale: [...now.stale],
  };
}

/** Whether there is nothing to tell of. */
export function isUnchanged(changes: Changes): boolean {
  return Object.values(changes).every(({ length }) => length === 0);
}

function isNewlyFailed({ before, after, isStale }: Pair): boolean {
  return (after === 'failed' || after === 'warned') && badness(after) > badness(before) && !isStale;
}

/** Whether a clause that broke in both runs broke in other ways, where both know how. */
function isBrokenOtherwise({ id, before, after }: Pair, earlier: Judgements, now: Judgements): boolean {
  const [one, other] = [earlier.breakages?.get(id), now.breakages?.get(id)];
  return badness(before) > 0 && badness(after) > 0 && one !== undefined && other !== undefined && one !== other;
}

interface Pair {
  readonly id: string;
  /** Of a clause that was stale: `passed`, since it held. */
  readonly before: ClauseVerdict | undefined;
  readonly after: ClauseVerdict | undefined;
  /** Whether the clause fails now only as its entry in the known deviations is stale. */
  readonly isStale: boolean;
}

function comparable(earlier: Judgements, now: Judgements): Pair[] {
  if (earlier.verdict === 'error' || now.verdict === 'error') return [];
  return [...new Set([...now.verdicts.keys(), ...earlier.verdicts.keys()])]
    .filter((id) => wasAskedFor(id, now, earlier) && wasAskedFor(id, earlier, now))
    .map((id) => ({
      id,
      before: earlier.stale.has(id) ? 'passed' : earlier.verdicts.get(id),
      after: now.verdicts.get(id),
      isStale: now.stale.has(id),
    }));
}

function stoppedChecks(
  { checks: before, filter }: Judgements,
  { verdicts, checks: now, ...run }: Judgements,
): NamedCheck[] {
  if (before === undefined || now === undefined || filter !== run.filter) return [];
  return [...verdicts]
    .filter(([, verdict]) => isExercised(verdict))
    .flatMap(([clause]) => [...(before.get(clause) ?? [])].map((name) => ({ clause, name })))
    .filter(({ clause, name }) => now.get(clause)?.has(name) !== true);
}

function badness(verdict: ClauseVerdict | undefined): number {
  if (verdict === 'failed') return 2;
  return verdict === 'known' || verdict === 'warned' ? 1 : 0;
}
