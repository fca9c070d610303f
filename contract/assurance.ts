import type { Clause } from './clause.ts';
import { assuranceLevels, needs, type AssuranceLevel, type Need } from './needs.ts';

/** The lowest level whose means can exercise a clause: the highest that one of its needs asks for. */
export function assuranceOf({ needs: wanted = [] }: Clause): AssuranceLevel {
  const ranks = wanted.map((name): Need => needs[name]).map(({ level }) => assuranceLevels.indexOf(level));
  return assuranceLevels[Math.max(0, ...ranks)] ?? 'secret';
}

/** Whether a clause asks for what might issue for real: a sandbox is asked for it only with leave. */
export function isWithheldWithoutLeave({ needs: wanted = [] }: Clause): boolean {
  return wanted.includes('real-issuance');
}
