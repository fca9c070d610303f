import { isClauseResult } from '../../schemas/stored.ts';
import type { CheckResult, Results } from '../../schemas/results.ts';
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
  return resultsOrRefused(path, hasLeft(rest, clauses.length) ? { ...rest, clauses } : rest);
}

/** Whether so many clauses, and nothing else, were taken out of what is left: else the file is judged as it stands. */
function hasLeft(rest: unknown, count: number): rest is { readonly clauses: readonly null[] } {
  if (typeof rest !== 'object' || rest === null || !('clauses' in rest) || !Array.isArray(rest.clauses)) return false;
  return rest.clauses.length === count && rest.clauses.every((place: unknown) => place === null);
}

function sampled(clause: unknown): unknown {
  return isClauseResult(clause) ? { ...clause, checks: clause.checks.map(sampledCheck) } : clause;
}

/** Of a check that passed, the last exchange and how many there were; any other check as it is. */
function sampledCheck(check: CheckResult): CheckResult {
  const { state, exchanges = [], exchangesMade = 0 } = check;
  if (state !== 'passed' || exchanges.length <= 1) return check;
  // Deliveries that came are kept as exchanges, and were not made by the check.
  return { ...check, exchangesMade: Math.max(exchangesMade, exchanges.length), exchanges: exchanges.slice(-1) };
}
