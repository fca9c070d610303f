import type { Trouble } from '../../contract/values.ts';
import { counted, type Say } from '../../reports/language.ts';

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

/** Thrown where the target can't be tested at all; the message names what is wrong and what to do. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly trouble: Trouble;
  /** The message in a language. */
  readonly said: (say: Say) => string;

  constructor(said: (say: Say) => string, trouble: Trouble) {
    super(said((english) => english));
    this.said = said;
    this.trouble = trouble;
  }
}

/** Refuses a run that could not be fair: one line that says the first problem, its cause and what to do. */
export function refuseUnfair(findings: readonly Remark[]): void {
  const [first, ...others] = findings.filter(({ state }) => state === 'problem');
  if (!first) return;
  const { examined, found, advice = '', trouble = 'settings' } = first;
  // The setting that says where the target is stands for all that names none itself.
  const isNamed = /\bNFE_/.test(`${examined} ${found} ${advice}`) || /_PROXY|NODE_EXTRA/.test(examined + found);
  const said = (say: Say): string => {
    const where = isNamed ? say(examined) : `NFE_BASE_URL: ${say(examined)}`;
    const more = others.length === 0 ? '' : ` (${say(`and ${counted(others.length, 'problem')} more`)})`;
    return `${where}: ${say(found)}: ${say(advice)}${more}; ${say('npm run doctor tells all that was found')}`;
  };
  throw new TargetError(said, trouble);
}
