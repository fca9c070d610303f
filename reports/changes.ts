import type { ClauseVerdict, Results } from '../schemas/results.ts';
import { exercisedChecks, type Earlier } from './earlier.ts';
import { isStale } from './stale.ts';

/** A check by the clause that it judges and its title. */
export interface NamedCheck {
  readonly clause: string;
  readonly name: string;
}

/** What is different from an earlier run, as clause ids in the order of this run. */
export interface Changes {
  /** Failed or warned now and better before; those that only stand on a stale list apart. */
  readonly newlyFailed: readonly string[];
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
 * Compares a run with an earlier one. A clause that only one of them was asked for is not compared; a run that ended in
 * an error compares with nothing.
 */
export function changesSince(earlier: Earlier, results: Results): Changes {
  const stale = new Set(results.clauses.filter(isStale).map(({ id }) => id));
  const pairs = comparable(earlier, results);
  const idsOf = (test: (before: ClauseVerdict | undefined, now: ClauseVerdict | undefined) => boolean): string[] =>
    pairs.filter(({ before, now }) => test(before, now)).map(({ id }) => id);
  return {
    newlyFailed: idsOf(
      (before, now) => (now === 'failed' || now === 'warned') && badness(now) > badness(before),
    ).filter((id) => !stale.has(id)),
    fixed: idsOf((before, now) => badness(before) > 0 && now === 'passed'),
    stoppedRunning: idsOf((before, now) => isExercised(before) && !isExercised(now)),
    stoppedChecks: stoppedChecks(earlier, results),
    startedRunning: idsOf((before, now) => !isExercised(before) && isExercised(now)),
    stale: [...stale],
  };
}

/** Whether there is nothing to tell of. */
export function isUnchanged(changes: Changes): boolean {
  const { newlyFailed, fixed, stoppedRunning, stoppedChecks, startedRunning, stale } = changes;
  return [newlyFailed, fixed, stoppedRunning, stoppedChecks, startedRunning, stale].every(({ length }) => length === 0);
}

interface Pair {
  readonly id: string;
  readonly before: ClauseVerdict | undefined;
  readonly now: ClauseVerdict | undefined;
}

function comparable(earlier: Earlier, results: Results): Pair[] {
  if (earlier.verdict === 'error' || results.verdict === 'error') return [];
  const before = earlier.verdicts;
  const now = new Map(results.clauses.map((clause) => [clause.id, clause.verdict]));
  return [...new Set([...now.keys(), ...before.keys()])]
    .filter((id) => (before.has(id) || earlier.filter === undefined) && (now.has(id) || results.filter === undefined))
    .map((id) => ({ id, before: before.get(id), now: now.get(id) }));
}

function stoppedChecks({ checks: before, verdict, filter }: Earlier, results: Results): NamedCheck[] {
  if (before === undefined || verdict === 'error' || filter !== results.filter) return [];
  const now = exercisedChecks(results.clauses);
  return results.clauses
    .filter((clause) => isExercised(clause.verdict))
    .flatMap(({ id }) => [...(before.get(id) ?? [])].map((name) => ({ clause: id, name })))
    .filter(({ clause, name }) => now.get(clause)?.has(name) !== true);
}

function badness(verdict: ClauseVerdict | undefined): number {
  if (verdict === 'failed') return 2;
  return verdict === 'known' || verdict === 'warned' ? 1 : 0;
}

function isExercised(verdict: ClauseVerdict | undefined): boolean {
  return verdict !== undefined && verdict !== 'not-exercised' && verdict !== 'unobservable';
}
