import { parseArgs } from 'node:util';
import { compareResults } from '../reports/compare.ts';
import { comparisonLines } from '../reports/compare-lines.ts';
import { ArgumentError } from './argument-error.ts';
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

function parseOrRefuse(words: readonly string[]): ReturnType<typeof parse> {
  try {
    return parse(words);
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
    throw new ArgumentError(`${why}; usage: ${usage}`);
  }
}

function readWords(words: readonly string[]): { paths: readonly [string, string]; json: boolean } {
  const { values, positionals } = parseOrRefuse(words);
  const [a, b] = positionals;
  if (a === undefined || b === undefined || positionals.length > 2) {
    throw new ArgumentError(`two results files are compared, not ${positionals.length}; usage: ${usage}`);
  }
  return { paths: [a, b], json: values.json === true };
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof ArgumentError;
  const text = isExpected ? error.message : `the suite broke: ${error instanceof Error ? error.stack : String(error)}`;
  process.stderr.write(`error: ${text}\n`);
  process.exitCode = 2;
}
