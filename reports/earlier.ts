import type { HistoryLine } from '../schemas/history.ts';
import type { ClauseResult, ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';
import { verdictLooks } from './verdicts.ts';

/** What a comparison needs to know of an earlier run. */
export interface Earlier {
  readonly startedAt: string;
  /** Kind of its target, and the address. */
  readonly kind: string;
  readonly baseUrl: string;
  readonly seed: number;
  readonly verdict: RunVerdict;
  readonly filter?: string;
  /** Verdicts by clause id. */
  readonly verdicts: ReadonlyMap<string, ClauseVerdict>;
  /** Titles of the checks that were exercised, by clause id; a history does not know them. */
  readonly checks?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Titles of the checks that were exercised, by clause id. */
export function exercisedChecks(clauses: readonly ClauseResult[]): ReadonlyMap<string, ReadonlySet<string>> {
  const titles = (checks: ClauseResult['checks']): string[] =>
    checks.filter(({ state }) => state !== 'not-exercised').map(({ name }) => name);
  return new Map(clauses.map(({ id, checks }) => [id, new Set(titles(checks))]));
}

/** An earlier run by its results. */
export function earlierOf(results: Results): Earlier {
  const verdicts = new Map(results.clauses.map((clause) => [clause.id, clause.verdict]));
  return { ...headingOf(results), verdicts, checks: exercisedChecks(results.clauses) };
}

/** An earlier run by its line in a history. */
export function earlierOfLine(line: HistoryLine): Earlier {
  return { ...headingOf(line), verdicts: verdictsOfLine(line.clauses) };
}

function headingOf({ startedAt, target, seed, verdict, filter }: Results | HistoryLine): Omit<Earlier, 'verdicts'> {
  const { kind, baseUrl } = target;
  return { startedAt, kind, baseUrl, seed, verdict, ...(filter === undefined ? {} : { filter }) };
}

/** Verdicts by clause id, from the ids by verdict of a history. */
export function verdictsOfLine(clauses: HistoryLine['clauses']): Map<string, ClauseVerdict> {
  const pairs = verdictLooks.flatMap(({ verdict }) =>
    verdict === 'unobservable' ? [] : (clauses[verdict] ?? []).map((id) => [id, verdict] as const),
  );
  return new Map(pairs);
}
