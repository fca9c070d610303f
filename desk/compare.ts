import { parseArgs } from 'node:util';
import { compareResults, comparisonLines } from '../reports/compare.ts';
import { ArgumentError, parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { readResultsFile } from '../runner/results/report-folder.ts';

/** What `--help` prints. */
export const usage = `npm run compare -- A/results.json B/results.json [--json]

Tells where two runs differ: in verdicts, and in the shapes of answers, also where the contract leaves them open.
Ends with 0 where they are the same, with 1 where they differ or can't be compared.

  --json   print the differences as JSON
  --help   print this`;

const usageLine = usage.split('\n', 1).join('');

/** What `npm run compare` does; gives the exit status: 0 the runs are the same, 1 they differ or can't be compared. */
export function run(words: readonly string[]): number {
  const { values, positionals } = parsedOrRefused(() => parse(words), `usage: ${usageLine}`);
  const paths = pathsIn(positionals);
  const comparison = compareResults(readResultsFile(paths[0]), readResultsFile(paths[1]));
  const text = values.json === true ? JSON.stringify(comparison, null, 2) : comparisonLines(comparison).join('\n');
  process.stdout.write(`${text}\n`);
  return comparison.outcome === 'same' ? 0 : 1;
}

const options = { json: { type: 'boolean' } } as const;

const parse = (words: readonly string[]) => parseArgs({ args: [...words], options, allowPositionals: true });

function pathsIn(positionals: readonly string[]): readonly [string, string] {
  const [a, b] = positionals;
  if (a === undefined || b === undefined || positionals.length > 2) {
    throw new ArgumentError(`two results files are compared, not ${positionals.length}; usage: ${usageLine}`);
  }
  return [a, b];
}
