import { createHash } from 'node:crypto';
import type { CheckResult, ClauseResult, Results } from '../schemas/results.ts';
import { wayText } from '../schemas/finding.ts';
import { failedChecks } from './evidence.ts';

/**
 * How a clause breaks, so that two runs can be compared by it: a line for each way in which a check of it fails, sorted. `undefined`
 * of one that does not, and where not every way is known.
 */
export function breakageOf(clause: ClauseResult): readonly string[] | undefined {
  const failed = failedChecks(clause);
  if (failed.length === 0 || failed.some(({ ways }) => ways === undefined)) return undefined;
  return [...new Set(failed.flatMap(waysOf))].toSorted();
}

/** How each clause breaks, in a few characters, by clause id; of one that does not, or where that is not known, nothing. */
export function breakagesOf({ clauses }: Results): ReadonlyMap<string, string> {
  return new Map(
    clauses.flatMap((clause): [string, string][] => {
      const digest = breakageDigest(clause);
      return digest === undefined ? [] : [[clause.id, digest]];
    }),
  );
}

/** The same as `breakageOf` in twelve characters: equal texts for equal breakages. */
function breakageDigest(clause: ClauseResult): string | undefined {
  const breakage = breakageOf(clause);
  return breakage && createHash('sha256').update(JSON.stringify(breakage)).digest('hex').slice(0, 12);
}

function waysOf({ name, ways = [] }: CheckResult): string[] {
  return ways.map((way) => `${name}: ${wayText(way)}`);
}

/** The endpoints on which a check fails, by method and path template, where there are several. */
export function brokenEndpoints({ ways = [] }: CheckResult): readonly string[] {
  const all = new Set(ways.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint !== undefined));
  return all.size > 1 ? [...all] : [];
}
