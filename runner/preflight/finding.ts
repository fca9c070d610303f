import type { Trouble } from '../../contract/values.ts';

/** What an examination came to. */
export const states = ['ok', 'warning', 'problem', 'not set', 'skipped'] as const;

export type State = (typeof states)[number];

/** What was examined, what was found there, and what to do about it. Texts are raw: they are masked when they are shown. */
export interface Remark {
  readonly state: State;
  readonly examined: string;
  readonly found: string;
  /** What to do, or what would be gained by it. */
  readonly advice?: string;
  /** Whose trouble a problem is. */
  readonly trouble?: Trouble;
}

/** Takes findings as they are made. */
export type Report = (findings: readonly Remark[]) => void;

export function ok(examined: string, found: string): Remark {
  return { state: 'ok', examined, found };
}

/** A run is possible, but may not go as expected. */
export function warning(examined: string, found: string, advice: string): Remark {
  return { state: 'warning', examined, found, advice };
}

/** A run could not be fair. */
export function problem(examined: string, found: string, advice: string, trouble: Trouble = 'settings'): Remark {
  return { state: 'problem', examined, found, advice, trouble };
}

export function notSet(examined: string, found: string, advice?: string): Remark {
  return { state: 'not set', examined, found, ...(advice === undefined ? {} : { advice }) };
}

/** Left out, and why. */
export function skipped(examined: string, why: string): Remark {
  return { state: 'skipped', examined, found: why };
}

/** Whether one of them keeps a run from being fair. */
export function hasProblem(findings: readonly Remark[]): boolean {
  return findings.some(({ state }) => state === 'problem');
}
