import { parseArgs } from 'node:util';
import { historyLines } from '../reports/history.ts';
import { ArgumentError, parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { readResultsFile } from '../runner/results/report-folder.ts';
import { addRun, readHistoryFile, lineOf } from '../runner/results/history-file.ts';

/** What `--help` prints. */
export const usage = `npm run history -- FILE [RESULTS]

Adds what came of a run to a history, one line of JSON a run, and prints the last runs of it. A run that is there already
stays one line; the last 1000 runs are kept.

  FILE      the history, such as history.jsonl; made where there is none
  RESULTS   results.json of the run to add; without it the history is only printed
  --help    print this`;

const runsShown = 14;

/** What `npm run history` does; gives the exit status: 0, whatever the runs came to. */
export function run(words: readonly string[]): number {
  const { positionals } = parsedOrRefused(() => parse(words), `usage: ${usageLine}`);
  const [path, resultsPath] = positionals;
  if (path === undefined || path === '' || positionals.length > 2) throw new ArgumentError(`usage: ${usageLine}`);
  if (resultsPath !== undefined) addRun(path, lineOf(readResultsFile(resultsPath)));
  process.stdout.write(`${historyLines(readHistoryFile(path), runsShown).join('\n') || 'no runs yet'}\n`);
  return 0;
}

const usageLine = usage.split('\n', 1).join('');

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options: {}, allowPositionals: true });
