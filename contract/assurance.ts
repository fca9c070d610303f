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

/** Whether a clause asks for what might issue for real: a sandbox is asked for it only with leave. */
export function isWithheldWithoutLeave({ needs: wanted = [] }: Clause): boolean {
  return wanted.includes('real-issuance');
}
