import { allowanceOf, newPeople, type People } from '../memory.ts';
import type { Allowance } from '../veil.ts';

/** People of nobody's profile, and what the suite sent. */
export function strangers(own: readonly string[] = [], known: ReadonlyMap<string, string> = new Map()): People {
  return newPeople(known, 'the-app-secret-of-the-run', own);
}

/** An allowance where nobody is known and nothing was sent, but for these. */
export function allowing(own: readonly string[] = [], known?: ReadonlyMap<string, string>): Allowance {
  return allowanceOf(strangers(own, known), ['$NFE_APP_SECRET']);
}
