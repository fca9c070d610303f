import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compareResults } from '../reports/compare.ts';
import { comparisonLines } from '../reports/compare-lines.ts';
import { isResults } from '../schemas/is-results.ts';
import type { Results } from '../schemas/results.ts';
import { ArgumentError } from './arguments.ts';
import { fileErrorCode } from './file-error.ts';

const usage = 'npm run compare -- A/results.json B/results.json [--json]';

/** What `npm run compare` does; gives the exit status: 0 the runs are the same, 1 they differ or can't be compared. */
function main(words: readonly string[]): number {
  const { paths, json } = readWords(words);
  const comparison = compareResults(readResults(paths[0]), readResults(paths[1]));
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

/** The results in a file. Errors repeat nothing of it, since the path may lead to a file of secrets. */
function readResults(path: string): Results {
  const content = jsonOf(path, textOf(path));
  if (isResults(content)) return content;
  throw new ArgumentError(`${path} is not a results.json of this suite (format nfe-conformance/results@1)`);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)}); usage: ${usage}`);
  }
}

function jsonOf(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ArgumentError(`${path} is not JSON; usage: ${usage}`);
  }
}

try {
  process.exitCode = main(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof ArgumentError;
  const text = isExpected ? error.message : `the suite broke: ${error instanceof Error ? error.stack : String(error)}`;
  process.stderr.write(`error: ${text}\n`);
  process.exitCode = 2;
}
