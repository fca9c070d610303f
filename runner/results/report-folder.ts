import projectPackage from '../../package.json' with { type: 'json' };
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync, appendFileSync, renameSync } from 'node:fs';
import { join, dirname } from 'node:path';
import { removeReports } from '../../reports/write.ts';
import { ArgumentError, fileErrorCode } from '../command-line/argument-error.ts';
import type { Settings } from '../settings/settings.ts';
import { fileURLToPath } from 'node:url';
import {
  isMutantsRecord,
  type MutantsRecord,
  firstFaultOfResults,
  isResults,
  type HistoryLine,
} from '../../schemas/stored.ts';
import { results as resultsSchema, type Results } from '../../schemas/results.ts';
import { readHistory, type History, historyLineOf, isSameTarget } from '../../reports/history.ts';
import { allFields, type VerdictFields } from '../../schemas/verdict.ts';

/**
 * Makes the folder of reports and writes a file there, which is gone again: a run whose reports can't be written would be
 * lost. Throws an ArgumentError that names the folder and `named`, the option or setting that names it.
 */
export function proveWritable(folder: string, named: string): void {
  const probe = join(folder, `probe.${process.pid}.part`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(probe, '');
    rmSync(probe);
  } catch (error) {
    throw notWritable(folder, named, error);
  }
}

/** The same, and removes the reports of an earlier run. */
export async function clearReports(folder: string, named: string): Promise<void> {
  proveWritable(folder, named);
  try {
    await removeReports(folder);
  } catch (error) {
    throw notWritable(folder, named, error);
  }
}

function notWritable(folder: string, named: string, error: unknown): ArgumentError {
  return new ArgumentError(
    `${folder} can't be written (${fileErrorCode(error)}): reports need another folder, which ${named} names`,
  );
}

/**
 * The settings of a run that repeats one check: its reports go to the folder `repeat` below the folder of reports, so that
 * the report that told of the check stays; the history stays where it is.
 */
export function repeatSettings(settings: Settings): Settings {
  return { ...settings, reportDir: join(settings.reportDir, 'repeat'), history: historyPath(settings) };
}

/** Where `npm run mutants` leaves its record. */
export const mutantsPath = fileURLToPath(new URL('../../reports/out/mutants.json', import.meta.url));

/** What a file says of the mutants. */
type MutantsFile = MutantsRecord | 'unreadable' | undefined;

/**
 * The record of the mutants that lies beside a report, or else the project's own; `unreadable` where neither is of this
 * format, though one is there, and `undefined` without either.
 */
export function mutantsFor(reportDir: string, own: string = mutantsPath): MutantsFile {
  const files = [join(reportDir, 'mutants.json'), own].map(readMutantsFile).filter((file) => file !== undefined);
  return files.find((file) => file !== 'unreadable') ?? files[0];
}

/** The record of the mutants in a file; `unreadable` where it holds something else, `undefined` where there is no file. */
export function readMutantsFile(path: string): MutantsFile {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return undefined;
  try {
    const content: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isMutantsRecord(content) ? content : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

const format = resultsSchema.properties.format.const;

/** The results in a file. Throws an ArgumentError that repeats nothing of it, since the path may lead to secrets. */
export function readResultsFile(path: string): Results {
  const content = jsonInFile(path);
  if (isResults(content)) return content;
  throw new ArgumentError(`${path} ${whyNoResults(content)}`);
}

/** What a file of JSON says; it may begin with a byte order mark. Throws an ArgumentError that repeats nothing of it. */
export function jsonInFile(path: string): unknown {
  const text = textIn(path);
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw new ArgumentError(`${path} is not JSON`);
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

/** What keeps the content of a file from being results: the rest of a sentence that begins with its path, without values. */
function whyNoResults(content: unknown): string {
  const isOfFormat =
    typeof content === 'object' && content !== null && 'format' in content && content.format === format;
  if (!isOfFormat) return `is not a results.json of this suite (format ${format})`;
  return `breaks the schema of ${format}: ${firstFaultOfResults(content)}; npm run report -- --schema prints the schema`;
}

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
