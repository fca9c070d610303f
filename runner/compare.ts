import { parseArgs } from 'node:util';
import { compareResults } from '../reports/compare/compare.ts';
import { comparisonLines } from '../reports/compare/lines.ts';
import { ArgumentError } from './argument-error.ts';
import { parsedOrRefused, runCommand } from './command.ts';
import { readResultsFile } from './results-file.ts';

const usage = 'npm run compare -- A/results.json B/results.json [--json]';

/** What `npm run compare` does; gives the exit status: 0 the runs are the same, 1 they differ or can't be compared. */
function main(words: readonly string[]): number {
  const { paths, json } = readWords(words);
  const comparison = compareResults(readResultsFile(paths[0]), readResultsFile(paths[1]));
  const text = json ? JSON.stringify(comparison, null, 2) : comparisonLines(comparison).join('\n');
  process.stdout.write(`${text}\n`);
  return comparison.outcome === 'same' ? 0 : 1;
}

const parse = (words: readonly string[]) =>
  parseArgs({ args: [...words], options: { json: { type: 'boolean' } }, allowPositionals: true });

function readWords(words: readonly string[]): { paths: readonly [string, string]; json: boolean } {
  const { values, positionals } = parsedOrRefused(() => parse(words), usage);
  const [a, b] = positionals;
  if (a === undefined || b === undefined || positionals.length > 2) {
    throw new ArgumentError(`two results files are compared, not ${positionals.length}; usage: ${usage}`);
  }
  return { paths: [a, b], json: values.json === true };
}

await runCommand(main);
