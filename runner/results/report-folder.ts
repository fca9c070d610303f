import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { removeReports } from '../../reports/write.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { fileErrorCode } from './file-error.ts';
import { historyPath } from './history-file.ts';
import type { Settings } from '../settings/settings.ts';

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
