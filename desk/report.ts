import { loadEnvironment, readSettings, type Environment } from '../runner/settings/settings.ts';
import { parseArgs } from 'node:util';
import { publishedSchema } from '../schemas/stored.ts';
import { ArgumentError, parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { publishAgain, publishMerged } from '../runner/results/publish.ts';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** What `npm run report` does; gives the exit status. */
export function run(words: readonly string[]): Promise<number> {
  return reportCommand(words, {
    environment: () => loadEnvironment('.env', process.env),
    open: systemBrowser,
    print: (text) => void process.stdout.write(`${text}\n`),
    warn: (text) => void process.stderr.write(`${text}\n`),
  });
}

/** What `--help` prints. */
export const usage = `npm run report -- --from RESULTS | --merge DIR | --open | --schema

Writes the reports of runs that were made before, without a target. Ends with the status that npm test would have ended with.

  --from RESULTS    render the run of this results.json again; it stays as it is
  --merge DIR       put together what the shards of a run wrote: every results.json in the folder and those below it
  --out DIR         folder of the reports (default: with --from the folder of RESULTS, else NFE_REPORT_DIR)
  --baseline FILE   results.json of an earlier run to compare with (default: NFE_BASELINE)
  --history FILE    history to show the run in (default: NFE_HISTORY, or history.jsonl in the folder of the reports);
                    a merged run is added to it, one that is rendered again is not
  --open            open index.html in the browser; alone, that of the last run (NFE_REPORT_DIR)
  --schema          print the JSON Schema of results.json (draft 2020-12)
  --help            print this

Of the settings NFE_REPORT_DIR, NFE_BASELINE, NFE_HISTORY, NFE_REQUIRE_COMPLETE and NFE_REQUIRE_LEVEL matter here, and every
secret: what was missed in a run is masked.`;

const usageLine = usage.split('\n', 1).join('');

const options = {
  from: { type: 'string' },
  merge: { type: 'string' },
  out: { type: 'string' },
  baseline: { type: 'string' },
  history: { type: 'string' },
  open: { type: 'boolean' },
  schema: { type: 'boolean' },
} as const;

/** What a command meets outside of itself. */
interface CommandSurroundings {
  readonly environment: () => Environment;
  readonly open: OpenFile;
  readonly print: (text: string) => void;
  readonly warn: (text: string) => void;
}

/**
 * What `npm run report` does; gives the exit status, which is that of npm test: 0, 1, or 2. Throws an ArgumentError or a
 * SettingError where it can't be done.
 */
export async function reportCommand(words: readonly string[], around: CommandSurroundings): Promise<number> {
  const asked = parsedOrRefused(
    () => parseArgs({ args: [...words], options, allowPositionals: false }),
    `usage: ${usageLine}`,
  ).values;
  refuseEmpty(asked);
  if (asked.schema === true) {
    around.print(JSON.stringify(publishedSchema(), null, 2));
    return 0;
  }
  const { from, merge } = asked;
  if (from !== undefined && merge !== undefined) throw new ArgumentError('--from and --merge exclude each other');
  const settings = readSettings(around.environment());
  if (from === undefined && merge === undefined) return openLast(asked, settings.reportDir, around);
  const { status, reportDir } = await (from === undefined
    ? publishMerged(merge ?? '', asked, settings)
    : publishAgain(from, asked, settings));
  const problem = asked.open === true ? await openReport(reportDir, around.open) : undefined;
  if (problem !== undefined) around.warn(`warning: ${problem}`);
  return status;
}

type Asked = ReturnType<typeof parseArgs<{ options: typeof options }>>['values'];

async function openLast(asked: Asked, reportDir: string, around: CommandSurroundings): Promise<number> {
  if (asked.open !== true)
    throw new ArgumentError(`a results.json, or a folder of them, is to be named; usage: ${usageLine}`);
  for (const option of ['out', 'baseline', 'history'] as const) {
    if (asked[option] !== undefined)
      throw new ArgumentError(`--${option} goes with --from or --merge; usage: ${usageLine}`);
  }
  const problem = await openReport(reportDir, around.open);
  if (problem !== undefined) throw new ArgumentError(problem);
  return 0;
}

const takes: Readonly<Record<string, string>> = {
  from: 'a results.json',
  merge: 'a folder',
  out: 'a folder',
  baseline: 'a results.json',
  history: 'a file',
};

function refuseEmpty(asked: Asked): void {
  const empty = Object.entries(asked).find(([, value]) => value === '');
  if (empty) throw new ArgumentError(`--${empty[0]} takes ${takes[empty[0]]}; usage: ${usageLine}`);
}

/** Shows a file in the browser of whoever runs the command. */
export type OpenFile = (path: string) => Promise<unknown>;

/** A launcher that finds no browser ends at once; some stay as long as the browser does, and are not waited for. */
const watchedMs = 3000;

/** The system's browser, which is looked for only when it is asked for: a CI job has none. */
const systemBrowser: OpenFile = async (path) => {
  const { default: open } = await import('open');
  await launched(await open(path), watchedMs);
};

/** Waits until the launcher of a browser has ended well, or that many milliseconds. Throws an Error where it has failed. */
export function launched(launcher: ChildProcess, mostMs: number): Promise<void> {
  return new Promise((resolved, rejected) => {
    const timer = setTimeout(resolved, mostMs);
    const end = (error?: Error): void => {
      clearTimeout(timer);
      if (error) rejected(error);
      else resolved();
    };
    const judge = (status: number | null, signal: string | null): void => {
      const how = status === null ? `by ${signal}` : `with status ${status}`;
      end(status === 0 ? undefined : new Error(`${basename(launcher.spawnfile)} ended ${how}`));
    };
    const { exitCode, signalCode } = launcher;
    launcher.once('error', end);
    if (exitCode === null && signalCode === null) launcher.once('exit', judge);
    else judge(exitCode, signalCode);
  });
}

/** Opens the report in a folder; gives, in one line, why it could not be opened. */
async function openReport(reportDir: string, open: OpenFile): Promise<string | undefined> {
  const path = resolve(join(reportDir, 'index.html'));
  if (!existsSync(path)) return `${path} is not there to be opened: npm test writes it`;
  try {
    await open(path);
    return undefined;
  } catch (error) {
    return `no browser could be started (${error instanceof Error ? error.message : String(error)}): open ${path} yourself`;
  }
}
