import { isHistoryLine, type HistoryLine } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import { breakagesOf } from './breakage.ts';
import { isStale } from './stale.ts';
import { clausesOf, verdictLooks } from './verdicts.ts';

/** What a history keeps of a run that was made with that version of the suite. */
export function historyLineOf(results: Results, suite: string): HistoryLine {
  const { startedAt, verdict, error, target, seed, numRuns, requests, durationMs, counts, filter, level } = results;
  const { verdictFields = {} } = results;
  const stale = results.clauses.filter(isStale).map(({ id }) => id);
  const breakages = breakagesOf(results);
  return {
    format: 'nfe-conformance/history@1',
    startedAt,
    suite,
    verdict,
    ...(error === undefined ? {} : { error: error.slice(0, longestError) }),
    target,
    seed,
    numRuns,
    requests,
    durationMs,
    counts,
    ...(filter === undefined ? {} : { filter }),
    ...(level === undefined ? {} : { level }),
    ...(stale.length === 0 ? {} : { stale }),
    ...(breakages.size === 0 ? {} : { breakages: Object.fromEntries(breakages) }),
    ...(Object.keys(verdictFields).length === 0 ? {} : { verdictFields }),
    clauses: idsByVerdict(results),
  };
}

/** Runs by when they started: one that was merged is added later than it ran. */
export function oldestFirst(runs: readonly HistoryLine[]): readonly HistoryLine[] {
  return runs.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : Number(a.startedAt > b.startedAt)));
}

const longestError = 500;

function idsByVerdict(results: Results): HistoryLine['clauses'] {
  const judged = verdictLooks.map(({ verdict }) => verdict).filter((verdict) => verdict !== 'unobservable');
  const ids = judged.map((verdict) => [verdict, clausesOf(results, verdict).map(({ id }) => id)] as const);
  return Object.fromEntries(ids.filter(([, own]) => own.length > 0));
}

/** What the text of a history file holds. */
export interface History {
  readonly runs: readonly HistoryLine[];
  /** Lines that hold no run: torn by a crash, or of another format. */
  readonly unreadable: number;
}

/** The runs in the text of a history file, in the order of its lines. Lines that hold none are counted and passed over. */
export function readHistory(text: string): History {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const runs = lines.map(jsonOf).filter(isHistoryLine);
  return { runs, unreadable: lines.length - runs.length };
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
