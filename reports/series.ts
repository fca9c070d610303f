import type { HistoryLine } from '../schemas/history.ts';
import type { ClauseVerdict, Results } from '../schemas/results.ts';
import { earlierOf, earlierOfLine, verdictsOfLine, type Earlier } from './earlier.ts';
import { isLike } from './history-lines.ts';

/** One run of a series: the verdicts of its clauses, none where it ended in an error. */
export interface SeriesRun extends Pick<HistoryLine, 'startedAt' | 'verdict' | 'seed' | 'suite' | 'counts'> {
  readonly verdicts: ReadonlyMap<string, ClauseVerdict>;
}

/** The runs that were asked the same of the same target, oldest first; this one is the last of them. */
export function seriesOf(results: Results, history: readonly HistoryLine[] = []): readonly SeriesRun[] {
  const before = runsBefore(results, history).map((line) => ({ ...line, verdicts: verdictsOfLine(line.clauses) }));
  const { verdicts } = earlierOf(results);
  return [...before, { ...results, suite: results.suite?.version ?? '', verdicts }];
}

function runsBefore(results: Results, history: readonly HistoryLine[] = []): readonly HistoryLine[] {
  return history.filter((line) => line.startedAt < results.startedAt && isLike(line, results));
}

/** What a run is compared with: the baseline, or else the last run before it that judged the same of the same target. */
export function earlierRun(
  results: Results,
  { baseline, history }: { readonly baseline?: Results; readonly history?: readonly HistoryLine[] },
): Earlier | undefined {
  if (baseline) return earlierOf(baseline);
  const last = runsBefore(results, history).findLast(({ verdict }) => verdict !== 'error');
  return last && earlierOfLine(last);
}

/** Since when a clause has not held. */
export interface Since {
  /** ISO time of the first run in which it did not, as far back as is known. */
  readonly startedAt: string;
  /** How many runs it has not held in, this one counted, those that judged it only. */
  readonly runs: number;
  /** Whether an earlier run saw it hold, so that this is where it broke. */
  readonly isKnownToHaveHeld: boolean;
}

const broken: readonly ClauseVerdict[] = ['failed', 'known', 'warned'];

/** Since when a clause that does not hold in the last run of a series has not held. Runs that did not judge it are passed over. */
export function brokenSince(id: string, series: readonly SeriesRun[]): Since | undefined {
  const judged = series.filter(({ verdicts }) => [...broken, 'passed'].some((verdict) => verdicts.get(id) === verdict));
  const lastHeld = judged.findLastIndex(({ verdicts }) => verdicts.get(id) === 'passed');
  const run = judged.slice(lastHeld + 1);
  const [first] = run;
  return first && { startedAt: first.startedAt, runs: run.length, isKnownToHaveHeld: lastHeld >= 0 };
}
