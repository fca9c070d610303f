import { styleText } from 'node:util';
import type { Mask } from '../../client/mask.ts';
import { counted } from '../../reports/figures.ts';
import { shortened, visible } from '../../reports/visible.ts';
import type { Coverage } from './clauses.ts';
import { hasProblem, type Finding, type State } from './finding.ts';

const longestText = 600;

const looks = {
  ok: { sign: '✓', colour: 'green' },
  warning: { sign: '!', colour: 'yellow' },
  problem: { sign: '✗', colour: 'red' },
  'not set': { sign: '○', colour: 'dim' },
  skipped: { sign: '–', colour: 'dim' },
} as const satisfies Record<State, object>;

/** The finding with secrets masked and everything invisible spelt out: fit for a terminal and for JSON. */
export function shown(finding: Finding, mask: Mask): Finding {
  const clean = (text: string): string => shortened(visible(mask(text)), longestText);
  const { state, examined, found, advice } = finding;
  return {
    state,
    examined: clean(examined),
    found: clean(found),
    ...(advice === undefined ? {} : { advice: clean(advice) }),
  };
}

/** One line of a finding that `shown` has made fit for it. */
export function findingLine({ state, examined, found, advice }: Finding, colour: boolean): string {
  const look = looks[state];
  const head = `${look.sign} ${state.padEnd(7)}`;
  const painted = colour ? styleText(look.colour, head, { validateStream: false }) : head;
  return `${painted}  ${examined}: ${found}${advice === undefined ? '' : ` → ${advice}`}`;
}

/** Whether `npm test` is worth its while, and the last sentence that says so. */
export interface Conclusion {
  readonly isReady: boolean;
  readonly sentence: string;
}

export function conclusion(findings: readonly Finding[], coverage: Coverage | undefined): Conclusion {
  const count = (wanted: State): number => findings.filter(({ state }) => state === wanted).length;
  const warnings = count('warning') > 0 ? ` (${counted(count('warning'), 'warning')})` : '';
  if (hasProblem(findings) || !coverage) {
    return { isReady: false, sentence: `Not ready: ${counted(count('problem'), 'problem')}${warnings}` };
  }
  const { exercised, judged } = coverage;
  return {
    isReady: true,
    sentence: `Ready: npm test will exercise ${exercised} of ${counted(judged, 'must clause')}${warnings}`,
  };
}

/** The whole examination for programs. */
export function asJson(findings: readonly Finding[], coverage: Coverage | undefined): string {
  const { isReady, sentence } = conclusion(findings, coverage);
  const clauses = coverage
    ? { clauses: { exercised: coverage.exercised, judged: coverage.judged, withheld: coverage.withheld.length } }
    : {};
  const whole = { format: 'nfe-conformance/doctor@1', ready: isReady, conclusion: sentence, ...clauses, findings };
  return JSON.stringify(whole, undefined, 2);
}
