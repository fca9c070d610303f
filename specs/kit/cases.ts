import type { Run } from '../../targets/address.ts';
import { isKept } from '../../targets/harmless.ts';

/** How much a check tries when nothing fails: what it costs follows from that. */
export interface PlannedTries {
  readonly title: string;
  readonly cases: number;
  /** How many of the cases are examples, which each run tries. */
  readonly examples: number;
  /** Whether it tries fewer cases than it was asked for, since each leaves something behind. */
  readonly isCut: boolean;
  /** Seconds that it waits where no clock can be moved. */
  readonly waitSeconds: number;
}

/** Which cases are tried: examples before generated ones. */
export interface Cases<T> {
  /** Each of them is tried on every run. */
  readonly examples?: readonly T[];
  /** So many of them, the first ones, are enough where a ceiling on requests a second asks for manners. */
  readonly mostPolitely?: number;
  /** Most cases where each of them leaves something behind that stays: on a sandbox without control API. */
  readonly mostOnSandbox?: number;
}

/** The examples that a run tries. */
export function examplesOf<T>(run: Run, cases: Cases<T>): readonly T[] {
  const { examples = [], mostPolitely = examples.length } = cases;
  return examples.slice(0, Math.min(run.address.maxRps > 0 ? mostPolitely : Infinity, mostOf(run, cases)));
}

function mostOf({ address }: Run, { mostOnSandbox = Infinity }: Cases<unknown>): number {
  return isKept(address) ? mostOnSandbox : Infinity;
}

/** How many cases a run tries: every example, however few are asked for; a replay makes its one case. */
export function casesOf<T>(run: Run, cases: Cases<T>): number {
  if (run.path !== undefined) return 1;
  return Math.min(Math.max(run.numRuns, examplesOf(run, cases).length), mostOf(run, cases));
}

/** How much a property tries. */
export function triesOf<T>(run: Run, cases: Cases<T>): Pick<PlannedTries, 'cases' | 'examples' | 'isCut'> {
  const count = casesOf(run, cases);
  return {
    cases: count,
    examples: Math.min(count, examplesOf(run, cases).length),
    isCut: mostOf(run, cases) < run.numRuns,
  };
}
