import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { topicOf } from '../contract/catalogue.ts';
import { findingsOf } from '../reports/findings/findings.ts';
import { troublesOf } from '../reports/troubles.ts';
import type { ClauseResult, Results } from '../schemas/results.ts';
import { letLoose, type Wish } from './let-loose.ts';
import type { Mutant } from './mutant.ts';

/** What a run of the whole suite came to for a mutant. */
export interface Surveyed {
  readonly mutant: string;
  readonly clauses: readonly ClauseResult[];
}

/** Mutants whose servers are up at a time. */
const atOnce = 3;

/**
 * Judges all clauses of each mutant, and adds what came of it to a file, a line a mutant; those that the file tells of already are
 * passed over, so that a survey which was cut off goes on.
 */
export async function survey(wishes: readonly Wish[], file: string): Promise<readonly Surveyed[]> {
  const known = surveyedIn(file);
  const left = wishes.filter(({ id }) => known.every(({ mutant }) => mutant !== id));
  for (let at = 0; at < left.length; at += atOnce) {
    const { results, faults } = await letLoose(left.slice(at, at + atOnce));
    if (faults.length > 0) throw new Error(`the suite broke: ${faults.join(' | ')}`);
    for (const [mutant, { clauses }] of results)
      appendFileSync(file, `${JSON.stringify({ mutant, clauses: clauses.map(kept) })}\n`);
    process.stderr.write(`${Math.min(at + atOnce, left.length)} of ${left.length} mutants\n`);
  }
  return surveyedIn(file).filter(({ mutant }) => wishes.some(({ id }) => id === mutant));
}

function surveyedIn(file: string): readonly Surveyed[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line): Surveyed[] => (line === '' ? [] : [JSON.parse(line)]));
}

/** A clause without what findings are not made of. */
function kept(clause: ClauseResult): ClauseResult {
  const checks = clause.verdict === 'passed' ? [] : clause.checks;
  return { ...clause, checks: checks.map(({ exchanges: _, ...check }) => check) };
}
