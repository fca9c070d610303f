import type { Results } from './results.ts';

/** What a run is called, in the `User-Agent` of its requests and on its report: when it began, and its seed. */
export function runIdOf({ startedAt, seed }: Pick<Results, 'startedAt' | 'seed'>): string {
  return `${startedAt.replace(/\.\d+/, '').replaceAll(/[-:]/g, '')}-${seed}`;
}

/** What the requests of a run call themselves, so that they are found in a log. */
export function userAgentOf(run: Pick<Results, 'startedAt' | 'seed'>, version: string): string {
  return `nfe-conformance/${version} (run ${runIdOf(run)})`;
}
