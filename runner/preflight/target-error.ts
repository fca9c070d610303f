import type { Trouble } from '../../contract/values.ts';
import { counted } from '../../reports/figures.ts';
import type { Say } from '../../reports/language.ts';
import type { Remark } from './finding.ts';

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
