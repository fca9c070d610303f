import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeReports } from '../../reports/write.ts';
import { ArgumentError, fileErrorCode } from '../command-line/argument-error.ts';
import type { Settings } from '../settings/settings.ts';
import { fileURLToPath } from 'node:url';
import { isMutantsRecord, type MutantsRecord, firstFaultOfResults, isResults } from '../../schemas/stored.ts';
import { results as resultsSchema, type Results } from '../../schemas/results.ts';
import { historyPath } from './history-file.ts';

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
