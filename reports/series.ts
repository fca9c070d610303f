import type { HistoryLine } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import { earlierOf, earlierOfLine, judgementsOf, judgementsOfLine, type Earlier, type Judgements } from './earlier.ts';
import { oldestFirst } from './history.ts';
import { isLike } from './history-lines.ts';

/** One run of a series: the verdicts of its clauses, none where it ended in an error. */
export interface SeriesRun
  extends
    Pick<HistoryLine, 'startedAt' | 'verdict' | 'seed' | 'suite' | 'counts' | 'level'>,
    Pick<Judgements, 'verdicts' | 'stale'> {}

/** The runs that were asked the same of the same target, by when they started, oldest first; this one is the last of them. */
export function seriesOf(results: Results, history: readonly HistoryLine[] = []): readonly SeriesRun[] {
  const before = runsBefore(results, history).map((line) => ({ ...line, ...judgedIn(judgementsOfLine(line)) }));
  return [...before, { ...results, suite: results.suite?.version ?? '', ...judgedIn(judgementsOf(results)) }];
}

function judgedIn({ verdicts, stale }: Judgements): Pick<Judgements, 'verdicts' | 'stale'> {
  return { verdicts, stale };
}

function runsBefore(results: Results, history: readonly HistoryLine[] = []): readonly HistoryLine[] {
  return oldestFirst(history).filter((line) => line.startedAt < results.startedAt && isLike(line, results));
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

/**
 * Since when a clause that does not hold in the last run of a series has not held. Runs that did not judge it are passed
 * over; one in which only its entry in the known deviations was stale saw it hold.
 */
export function brokenSince(id: string, series: readonly SeriesRun[]): Since | undefined {
  const judged = series.map((run) => ({ run, holds: holdsIn(run, id) })).filter(({ holds }) => holds !== undefined);
  const lastHeld = judged.findLastIndex(({ holds }) => holds === true);
  const since = judged.slice(lastHeld + 1);
  const first = since[0]?.run;
  return first && { startedAt: first.startedAt, runs: since.length, isKnownToHaveHeld: lastHeld >= 0 };
}

/** Whether a clause held in a run; `undefined` where the run did not judge it. */
function holdsIn({ verdicts, stale }: SeriesRun, id: string): boolean | undefined {
  if (stale.has(id)) return true;
  switch (verdicts.get(id)) {
    case 'passed':
      return true;
    case 'failed':
    case 'known':
    case 'warned':
      return false;
    case 'not-exercised':
    case 'blocked':
    case 'withheld':
    case 'unobservable':
    case undefined:
      return undefined;
  }
}
