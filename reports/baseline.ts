import type { ClauseResult, ClauseVerdict, Results } from '../schemas/results.ts';

/** What is different from an earlier run, as clause ids in the order of this run. */
export interface Changes {
  /** Failed or warned now and better before. */
  newlyFailed: string[];
  /** Failed, warned or known before and passed now. */
  fixed: string[];
  /** Exercised before and not now, or gone from the catalogue. */
  stoppedRunning: string[];
  /** Exercised now and not before. */
  startedRunning: string[];
}

/**
 * Compares a run with an earlier one. A clause that only one of them was asked for is not compared; a run that ended in
 * an error compares with nothing.
 */
export function compareWithBaseline(baseline: Results, results: Results): Changes {
  const pairs = comparable(baseline, results);
  const idsOf = (test: (before: ClauseVerdict | undefined, now: ClauseVerdict | undefined) => boolean): string[] =>
    pairs.filter(({ before, now }) => test(before, now)).map(({ id }) => id);
  return {
    newlyFailed: idsOf((before, now) => (now === 'failed' || now === 'warned') && badness(now) > badness(before)),
    fixed: idsOf((before, now) => badness(before) > 0 && now === 'passed'),
    stoppedRunning: idsOf((before, now) => isExercised(before) && !isExercised(now)),
    startedRunning: idsOf((before, now) => !isExercised(before) && isExercised(now)),
  };
}

interface Pair {
  readonly id: string;
  readonly before: ClauseVerdict | undefined;
  readonly now: ClauseVerdict | undefined;
}

function comparable(baseline: Results, results: Results): Pair[] {
  if (baseline.verdict === 'error' || results.verdict === 'error') return [];
  const before = verdictsById(baseline.clauses);
  const now = verdictsById(results.clauses);
  return [...new Set([...now.keys(), ...before.keys()])]
    .filter((id) => (before.has(id) || baseline.filter === undefined) && (now.has(id) || results.filter === undefined))
    .map((id) => ({ id, before: before.get(id), now: now.get(id) }));
}

function verdictsById(clauses: readonly ClauseResult[]): Map<string, ClauseVerdict> {
  return new Map(clauses.map((clause) => [clause.id, clause.verdict]));
}

function badness(verdict: ClauseVerdict | undefined): number {
  if (verdict === 'failed') return 2;
  return verdict === 'known' || verdict === 'warned' ? 1 : 0;
}

function isExercised(verdict: ClauseVerdict | undefined): boolean {
  return verdict !== undefined && verdict !== 'not-exercised' && verdict !== 'unobservable';
}
