import { join } from 'node:path';
import { historyLineOf, oldestFirst } from '../../reports/history.ts';
import { allFields, type VerdictFields } from '../../schemas/verdict.ts';
import { isLike, isSameTarget } from '../../reports/history-lines.ts';
import type { HistoryLine } from '../../schemas/stored.ts';
import type { Results } from '../../schemas/results.ts';
import projectPackage from '../../package.json' with { type: 'json' };
import { ArgumentError } from '../command-line/argument-error.ts';
import { addRun, readHistoryFile } from './history-file.ts';
import type { Settings } from '../settings/settings.ts';

/** Where the history of a run is, and whether the run becomes a line of it. */
export interface RunHistory {
  readonly path: string;
  readonly isAdded: boolean;
}

/** The history that the settings name, or else the one beside the reports. */
export function historyPath({ history, reportDir }: Pick<Settings, 'history' | 'reportDir'>): string {
  return history ?? join(reportDir, 'history.jsonl');
}

/** What a history keeps of a run; one of results that don't tell which suite made them counts as made by this one. */
export function lineOf(results: Results): HistoryLine {
  return historyLineOf(results, results.suite?.version ?? projectPackage.version);
}

/**
 * Adds a run to its history and gives the runs that started before it, in the order of the file, and this one last. A history that can't be read or written
 * says nothing of the target: `warn` gets one line about it, and the run stands alone.
 */
export function historyOfRun(
  results: Results,
  { path, isAdded }: RunHistory,
  warn: (line: string) => void,
): readonly HistoryLine[] {
  const own = lineOf(results);
  let runs: readonly HistoryLine[] = [];
  const problem = problemOf(() => {
    ({ runs } = readHistoryFile(path));
    if (isAdded) addRun(path, own);
  });
  if (problem !== undefined)
    warn(`warning: ${problem}; the verdict of this run stands${isAdded ? ', outside the history' : ''}`);
  return [...runs.filter(({ startedAt }) => startedAt < own.startedAt), own];
}

/**
 * How many milliseconds the last run took that made the same cases of the same clauses on the same target; `undefined` where
 * the history tells of none, or can't be read.
 */
export function earlierDurationMs(
  path: string,
  run: Pick<HistoryLine, 'target' | 'filter' | 'numRuns'>,
): number | undefined {
  let runs: readonly HistoryLine[] = [];
  problemOf(() => void ({ runs } = readHistoryFile(path)));
  const last = oldestFirst(runs).findLast(
    (line) => line.verdict !== 'error' && line.numRuns === run.numRuns && isLike(line, run),
  );
  return last?.durationMs;
}

/** The fields in `data` of verification events that earlier runs of that target saw; none where the history can't be read. */
export function earlierFields(path: string, target: Pick<HistoryLine['target'], 'kind' | 'baseUrl'>): VerdictFields {
  let runs: readonly HistoryLine[] = [];
  problemOf(() => void ({ runs } = readHistoryFile(path)));
  return allFields(
    runs.flatMap((run) => (run.verdictFields && isSameTarget(run.target, target) ? [run.verdictFields] : [])),
  );
}

function problemOf(use: () => void): string | undefined {
  try {
    use();
    return undefined;
  } catch (error) {
    if (error instanceof ArgumentError) return error.message;
    throw error;
  }
}
