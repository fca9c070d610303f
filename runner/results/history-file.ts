import projectPackage from '../../package.json' with { type: 'json' };
import { mkdirSync, readFileSync, writeFileSync, appendFileSync, renameSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { ArgumentError, fileErrorCode } from '../command-line/argument-error.ts';
import type { Settings } from '../settings/settings.ts';
import type { HistoryLine } from '../../schemas/stored.ts';
import type { Results } from '../../schemas/results.ts';
import { readHistory, type History, historyLineOf, isSameTarget } from '../../reports/history.ts';
import { allFields, type VerdictFields } from '../../schemas/verdict.ts';

/** Runs that a history keeps at least: about three years of nights. */
const mostRuns = 1000;
/** How many times as many it may hold before it is cut: each cut might cost the line of another run. */
const slack = 1.1;

/** The runs in a history file; none where there is no file yet. Throws an ArgumentError where it can't be read. */
export function readHistoryFile(path: string): History {
  return readHistory(textOf(path));
}

/**
 * Adds a run to a history, of which the last runs are kept. One that is there already, since a job was repeated, stays one
 * line. Makes file and folder where there are none. Throws an ArgumentError where it can't, or where the file is no history.
 * Several runs may add themselves at once; only where one of them cuts the file can the line of another be lost.
 */
export function addRun(path: string, run: HistoryLine, most: number = mostRuns): void {
  const before = textOf(path);
  const { runs, unreadable } = readHistory(before);
  if (runs.length === 0 && unreadable > 0) {
    throw new ArgumentError(`${path} holds text and not one run: it is no history, and nothing is added to it`);
  }
  const text = JSON.stringify(run);
  if (runs.some((known) => JSON.stringify(known) === text)) return;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // A line that a crash tore stays a line of its own.
    appendFileSync(path, `${before === '' || before.endsWith('\n') ? '' : '\n'}${text}\n`);
    if (runs.length + unreadable >= most * slack) keepLast(path, most);
  } catch (error) {
    throw new ArgumentError(`${path} can't be written (${fileErrorCode(error)})`);
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (fileErrorCode(error) === 'ENOENT') return '';
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

/** A reader sees the file as it was or as it will be, nothing between. */
function keepLast(path: string, most: number): void {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const part = `${path}.${process.pid}.part`;
  writeFileSync(part, `${lines.slice(-most).join('\n')}\n`);
  renameSync(part, path);
}

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
