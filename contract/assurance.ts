import { isJudged } from './catalogue.ts';
import type { Clause } from './clause.ts';
import { assuranceLevels, needs, type AssuranceLevel, type Need, type NeedName } from './needs.ts';

/** The lowest level whose means can exercise a clause, by either of the ways to it. */
export function assuranceOf({ needs: wanted = [], needsInstead }: Clause): AssuranceLevel {
  const ranks = [wanted, ...(needsInstead ? [needsInstead] : [])].map(rankOf);
  return assuranceLevels[Math.min(...ranks)] ?? 'secret';
}

/** The highest level that one of the needs asks for. */
function rankOf(wanted: readonly NeedName[]): number {
  const ranks = wanted.map((name): Need => needs[name]).map(({ level }) => assuranceLevels.indexOf(level));
  return Math.max(0, ...ranks);
}

/** Whether the means of a level can exercise a clause. */
export function isWithin(clause: Clause, level: AssuranceLevel): boolean {
  return assuranceLevels.indexOf(assuranceOf(clause)) <= assuranceLevels.indexOf(level);
}

/** Whether a clause asks for what might issue for real: a sandbox is asked for it only with leave. */
export function isWithheldWithoutLeave({ needs: wanted = [] }: Clause): boolean {
  return wanted.includes('real-issuance');
}

/** The must clauses that a run judges and counts against: those that it has to withhold are apart. */
export function mustJudged(clauses: readonly Clause[], mayIssueForReal: boolean): Clause[] {
  const isApart = (clause: Clause): boolean => !mayIssueForReal && isWithheldWithoutLeave(clause);
  return clauses.filter((clause) => isJudged(clause) && clause.level === 'must' && !isApart(clause));
}
