import { isClauseResult } from '../schemas/is-clause-result.ts';
import type { CheckResult, Results } from '../schemas/results.ts';
import { elementReader } from './json-elements.ts';
import { parsedOf, piecesOf } from './json-file.ts';
import { resultsOrRefused } from './results-file.ts';

/**
 * The results in a file as far as reports show them: the evidence of failures whole, of checks that passed a sample. However
 * large the file, little more is held at a time than what is kept. Throws an ArgumentError as `readResultsFile` does.
 */
export function readSampledResults(path: string): Results {
  const clauses: unknown[] = [];
  const around: string[] = [];
  const reader = elementReader('clauses', {
    element: (text) => clauses.push(sampled(parsedOf(path, text))),
    between: (text) => around.push(text),
  });
  for (const piece of piecesOf(path)) reader.take(piece);
  reader.end();
  const rest = parsedOf(path, around.join('null'));
  return resultsOrRefused(path, typeof rest === 'object' && rest !== null ? { ...rest, clauses } : rest);
}

function sampled(clause: unknown): unknown {
  return isClauseResult(clause) ? { ...clause, checks: clause.checks.map(sampledCheck) } : clause;
}

/** Of a check that passed, the last exchange and how many there were; any other check as it is. */
function sampledCheck(check: CheckResult): CheckResult {
  const { state, exchanges = [], exchangesMade = exchanges.length } = check;
  if (state !== 'passed' || exchanges.length <= 1) return check;
  return { ...check, exchangesMade, exchanges: exchanges.slice(-1) };
}
