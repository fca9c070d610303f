import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isResults } from '../../../schemas/stored.ts';
import type { Results } from '../../../schemas/results.ts';
import { settingNames } from '../../settings/settings.ts';
import { childEnvironment } from '../child-environment.ts';
import { newFolder } from '../folders.ts';
import { warmly } from '../warm.ts';
import { textOfFile } from '../text-of-file.ts';

/** How a command ended that a person ran with settings of their own. */
export interface EndedCommand {
  /** Null: it had to be ended, since it ran on. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Everything that was printed and written. */
  readonly everything: string;
  /** What was written, by the names of the files. */
  readonly files: ReadonlyMap<string, string>;
  readonly results: Results | undefined;
  /** Most memory that its process ever had; absent of one that had to be ended. */
  readonly peakMegabytes: number | undefined;
}

/** A run may take 10 seconds; a busy machine takes some more until a process is up. */
const mostWallMs = 20_000;

/** Runs `npm test` or `npm run doctor` with these settings only; ends it when it goes on too long. Alone, its process has run nothing before. */
export async function command(
  name: 'test' | 'doctor',
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  { mostMs = mostWallMs, isAlone = false } = {},
): Promise<EndedCommand> {
  const folder = newFolder();
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']));
  const env = { ...childEnvironment(), ...unset, TMPDIR: newFolder(), NFE_REPORT_DIR: folder, ...settings };
  const told = await warmly({ command: name, words, env }, { mostMs, isAlone });
  const files = new Map(readdirSync(folder).map((file) => [file, textOfFile(join(folder, file))]));
  const everything = [told.stdout, told.stderr, ...files.values()].join('\n');
  return { ...told, everything, files, results: told.status === null ? undefined : resultsIn(folder) };
}

function resultsIn(folder: string): Results | undefined {
  const path = join(folder, 'results.json');
  const parsed: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return isResults(parsed) ? parsed : undefined;
}
