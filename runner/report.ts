import { parseArgs } from 'node:util';
import { maskFor } from '../client/mask.ts';
import { removeReports } from '../reports/write.ts';
import { ArgumentError } from './argument-error.ts';
import { parsedOrRefused, runCommand } from './command.ts';
import { loadEnvironment } from './environment.ts';
import { mergedRun } from './merged-run.ts';
import { publish } from './publish.ts';
import { readBaseline } from './setting-files.ts';
import { readSettings, secretsOf } from './settings.ts';
import { readShards } from './shard-results.ts';
import { stopwatch } from './stopwatch.ts';

const usage = `npm run report -- --merge DIR [--out DIR]

Puts what the shards of a run wrote together: reads every results.json in the folder and those below it, and writes the
four reports that one run would have written. Ends with the status that npm test would have ended with.

  --merge DIR   folder with the results of the shards
  --out DIR     folder that the reports are written to (default: NFE_REPORT_DIR)
  --help        print this

Of the settings NFE_REPORT_DIR, NFE_BASELINE and NFE_REQUIRE_COMPLETE matter here.`;

/** What `npm run report` does; gives the exit status, which is that of npm test: 0, 1, or 2. */
async function main(words: readonly string[]): Promise<number> {
  const { help, merge, out } = parsedOrRefused(() => parse(words), usageLine).values;
  if (help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (merge === undefined || merge === '') throw new ArgumentError(`--merge names a folder; usage: ${usageLine}`);
  if (out === '') throw new ArgumentError('--out takes a folder');
  const settings = readSettings(loadEnvironment('.env', process.env));
  const baseline = settings.baseline === undefined ? undefined : readBaseline(settings.baseline);
  const reportDir = out ?? settings.reportDir;
  const results = mergedRun(readShards(merge, reportDir));
  await removeReports(reportDir);
  const named = [...secretsOf(settings)].map(([name, secret]): [string, string] => [secret, `$${name}`]);
  return publish(results, { ...settings, reportDir }, baseline, maskFor(new Map(named)), stopwatch());
}

const usageLine = usage.split('\n', 1).join('');

const options = { merge: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean' } } as const;

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options, allowPositionals: false });

await runCommand(main);
