import { parseArgs } from 'node:util';
import { historyLineOf } from '../reports/history.ts';
import { historyLines } from '../reports/history-lines.ts';
import type { HistoryLine } from '../schemas/history.ts';
import projectPackage from '../package.json' with { type: 'json' };
import { ArgumentError } from './argument-error.ts';
import { parsedOrRefused, runCommand } from './command.ts';
import { appendRun, readHistoryFile } from './history-file.ts';
import { readResultsFile } from './results-file.ts';

const usage = `npm run history -- FILE [RESULTS]

Appends what came of a run to a history, one line of JSON a run, and prints the last runs of it.

  FILE      the history, such as history.jsonl; made where there is none
  RESULTS   results.json of the run to append; without it the history is only printed
  --help    print this`;

const runsShown = 14;

/** What `npm run history` does; gives the exit status: 0, whatever the runs came to. */
function main(words: readonly string[]): number {
  const { values, positionals } = parsedOrRefused(() => parse(words), usageLine);
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const [path, resultsPath] = positionals;
  if (path === undefined || path === '' || positionals.length > 2) throw new ArgumentError(`usage: ${usageLine}`);
  if (resultsPath !== undefined) append(path, historyLineOf(readResultsFile(resultsPath), projectPackage.version));
  process.stdout.write(`${historyLines(readHistoryFile(path), runsShown).join('\n') || 'no runs yet'}\n`);
  return 0;
}

/** A job that is repeated hands over a run twice: it stays one line. */
function append(path: string, run: HistoryLine): void {
  const text = JSON.stringify(run);
  if (readHistoryFile(path).runs.some((known) => JSON.stringify(known) === text)) return;
  appendRun(path, run);
}

const usageLine = usage.split('\n', 1).join('');

const parse = (words: readonly string[]) =>
  parseArgs({ args: [...words], options: { help: { type: 'boolean' } }, allowPositionals: true });

await runCommand(main);
