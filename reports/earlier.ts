import type { HistoryLine } from '../schemas/history.ts';
import type { ClauseResult, ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';
import { verdictLooks } from './verdicts.ts';

/** What a comparison needs to know of an earlier run. */
export interface Earlier {
  readonly startedAt: string;
  readonly baseUrl: string;
  readonly seed: number;
  readonly verdict: RunVerdict;
  readonly filter?: string;
  /** Verdicts by clause id. */
  readonly verdicts: ReadonlyMap<string, ClauseVerdict>;
  /** The checks that were exercised, as `checkKey` names them; a history does not know them. */
  readonly checks?: ReadonlySet<string>;
}

/** What names a check in the whole suite. */
export function checkKey(clause: string, name: string): string {
  return `${clause}: ${name}`;
}

/** The keys of the checks that were exercised. */
export function exercisedChecks(clauses: readonly ClauseResult[]): ReadonlySet<string> {
  const keys = clauses.flatMap(({ id, checks }) =>
    checks.filter(({ state }) => state !== 'not-exercised').map(({ name }) => checkKey(id, name)),
  );
  return new Set(keys);
}

/** An earlier run by its results. */
export function earlierOf({ startedAt, target, seed, verdict, filter, clauses }: Results): Earlier {
  return {
    startedAt,
    baseUrl: target.baseUrl,
    seed,
    verdict,
    ...(filter === undefined ? {} : { filter }),
    verdicts: new Map(clauses.map((clause) => [clause.id, clause.verdict])),
    checks: exercisedChecks(clauses),
  };
}

/** An earlier run by its line in a history. */
export function earlierOfLine({ startedAt, target, seed, verdict, filter, clauses }: HistoryLine): Earlier {
  return {
    startedAt,
    baseUrl: target.baseUrl,
    seed,
    verdict,
    ...(filter === undefined ? {} : { filter }),
    verdicts: verdictsOfLine(clauses),
  };
}

/** Verdicts by clause id, from the ids by verdict of a history. */
export function verdictsOfLine(clauses: HistoryLine['clauses']): Map<string, ClauseVerdict> {
  const pairs = verdictLooks.flatMap(({ verdict }) =>
    verdict === 'unobservable' ? [] : (clauses[verdict] ?? []).map((id) => [id, verdict] as const),
  );
  return new Map(pairs);
}
