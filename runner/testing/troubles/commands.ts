import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isResults } from '../../../schemas/is-results.ts';
import type { Results } from '../../../schemas/results.ts';
import { settingNames } from '../../unknown-settings.ts';
import { childEnvironment } from '../child-environment.ts';
import { newFolder } from '../runs.ts';
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
}

/** A run may take 10 seconds; a busy machine takes some more until a process is up. */
const mostWallMs = 20_000;

/** Runs `npm test` or `npm run doctor` in a process of its own with these settings only; ends it when it goes on too long. `nodeWords` are for node. */
export function command(
  program: 'main' | 'doctor',
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = [],
  mostMs = mostWallMs,
  nodeWords: readonly string[] = [],
): Promise<EndedCommand> {
  const folder = newFolder();
  const unset = Object.fromEntries(settingNames.map((name) => [name, '']));
  const child = spawn('node', [...nodeWords, `runner/${program}.ts`, ...words], {
    cwd: join(import.meta.dirname, '../../..'),
    env: { ...childEnvironment(), ...unset, NFE_REPORT_DIR: folder, ...settings },
    timeout: mostMs,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => {
    child.on('close', (status) => {
      const files = new Map(readdirSync(folder).map((file) => [file, textOfFile(join(folder, file))]));
      const everything = [stdout, stderr, ...files.values()].join('\n');
      resolve({ status, stdout, stderr, everything, files, results: status === null ? undefined : resultsIn(folder) });
    });
  });
}

function resultsIn(folder: string): Results | undefined {
  const path = join(folder, 'results.json');
  const parsed: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
  return isResults(parsed) ? parsed : undefined;
}
