import type { HistoryLine } from '../schemas/stored.ts';
import type { ClauseResult, ClauseVerdict, Results, RunVerdict } from '../schemas/results.ts';
import { breakagesOf } from './breakage.ts';
import { isStale } from './stale.ts';
import { verdictLooks } from './verdicts.ts';

/** What a run came to, as far as a comparison with another one needs it. */
export interface Judgements {
  readonly verdict: RunVerdict;
  readonly filter?: string;
  /** Verdicts by clause id, in the order of the run. */
  readonly verdicts: ReadonlyMap<string, ClauseVerdict>;
  /** Ids of failed clauses that only the list of known deviations makes fail: they hold, but for what it covers. */
  readonly stale: ReadonlySet<string>;
  /** Titles of the checks that were exercised, by clause id; a history does not know them. */
  readonly checks?: ReadonlyMap<string, ReadonlySet<string>>;
  /** How each broken clause breaks, by its id, as far as that is known: equal texts for the same. */
  readonly breakages?: ReadonlyMap<string, string>;
}

/** An earlier run: what it came to, and what tells which one it was. */
export interface Earlier extends Judgements {
  readonly startedAt: string;
  /** Kind of its target, and the address. */
  readonly kind: string;
  readonly baseUrl: string;
  readonly seed: number;
}

/** What a run came to, by its results. */
export function judgementsOf(results: Results): Judgements {
  const { clauses } = results;
  return {
    ...askedOf(results),
    verdicts: new Map(clauses.map((clause) => [clause.id, clause.verdict])),
    stale: new Set(clauses.filter(isStale).map(({ id }) => id)),
    checks: new Map(clauses.map(({ id, checks }) => [id, new Set(exercisedTitles(checks))])),
    breakages: breakagesOf(results),
  };
}

/** What a run came to, by its line in a history. */
export function judgementsOfLine(line: HistoryLine): Judgements {
  const verdicts = verdictLooks.flatMap(({ verdict }) =>
    verdict === 'unobservable' ? [] : (line.clauses[verdict] ?? []).map((id) => [id, verdict] as const),
  );
  const breakages = new Map(Object.entries(line.breakages ?? {}));
  return { ...askedOf(line), verdicts: new Map(verdicts), stale: new Set(line.stale), breakages };
}

/** An earlier run by its results. */
export function earlierOf(results: Results): Earlier {
  return { ...headingOf(results), ...judgementsOf(results) };
}

/** An earlier run by its line in a history. */
export function earlierOfLine(line: HistoryLine): Earlier {
  return { ...headingOf(line), ...judgementsOfLine(line) };
}

/** Whether a run was asked for a clause that another run has: where it has none such, only its catalogue lacks it. */
export function wasAskedFor(id: string, run: Judgements, other: Judgements): boolean {
  return run.filter === undefined || run.filter === other.filter || run.verdicts.has(id);
}

function headingOf({ startedAt, target, seed }: Results | HistoryLine): Omit<Earlier, keyof Judgements> {
  return { startedAt, kind: target.kind, baseUrl: target.baseUrl, seed };
}

function askedOf({ verdict, filter }: Results | HistoryLine): Pick<Judgements, 'verdict' | 'filter'> {
  return { verdict, ...(filter === undefined ? {} : { filter }) };
}

function exercisedTitles(checks: ClauseResult['checks']): string[] {
  return checks.filter(({ state }) => state !== 'not-exercised').map(({ name }) => name);
}
