import { styleText } from 'node:util';
import type { Mask } from '../trace/people/words-mask.ts';
import { counted, type Say } from '../reports/language.ts';
import { type Coverage, nextStep } from '../runner/preflight/clauses.ts';
import { states, type Remark, type State } from '../runner/preflight/finding.ts';
import { shortened, visible } from '../reports/visible.ts';

const longestText = 600;

const looks = {
  ok: { sign: '✓', colour: 'green' },
  warning: { sign: '!', colour: 'yellow' },
  problem: { sign: '✗', colour: 'red' },
  'not set': { sign: '○', colour: 'dim' },
  skipped: { sign: '–', colour: 'dim' },
} as const satisfies Record<State, object>;

/** The finding with secrets masked and everything invisible spelt out: fit for a terminal and for JSON. */
export function shown(finding: Remark, mask: Mask): Remark {
  const clean = (text: string): string => shortened(visible(mask(text)), longestText);
  const { state, examined, found, advice } = finding;
  return {
    state,
    examined: clean(examined),
    found: clean(found),
    ...(advice === undefined ? {} : { advice: clean(advice) }),
  };
}

const asItIs: Say = (english) => english;

/** One line of a finding that `shown` has made fit for it. */
export function findingLine({ state, examined, found, advice }: Remark, colour: boolean, say: Say = asItIs): string {
  const said = { state, examined: say(examined), found: say(found) };
  return writtenLine(advice === undefined ? said : { ...said, advice: say(advice) }, colour, say);
}

/** One line of a finding whose texts are in the language that is spoken. */
function writtenLine({ state, examined, found, advice }: Remark, colour: boolean, say: Say): string {
  const look = looks[state];
  const width = Math.max(...states.map((one) => say(one).length));
  const head = `${look.sign} ${say(state).padEnd(width)}`;
  const painted = colour ? styleText(look.colour, head, { validateStream: false }) : head;
  return `${painted}  ${examined}: ${found}${advice === undefined ? '' : ` → ${advice}`}`;
}

/** What is told in one line, by what was examined; the first row that fits. */
const groups: readonly (readonly [string, RegExp])[] = [
  ['target', /^settings$/],
  ['way', /^(?:proxy|HTTPS?_PROXY|NODE_EXTRA_CA_CERTS|DNS|TCP|TLS)/],
  ['service', /^(?:echo|clock)/],
  ['secrets', /^(?:NFE_APP_|application)/],
  ['endpoints', /^subscription/],
  ['control API', /^control API/],
  ['receiver', /^webhook receiver/],
  ['profile', /^(?:profile|NFE_PROFILE)/],
  ['clauses', /^clauses/],
];

const longestLine = 200;
/** Lines for warnings and problems, so that with those of the groups and the end there are 15 at most. */
const mostAlerts = 4;

/** The findings in 13 lines at most: problems and warnings first, then a line for each group of what is in order or unset. */
export function doctorLines(findings: readonly Remark[], colour: boolean, say: Say = asItIs): string[] {
  const alerts = findings
    .filter(({ state }) => state === 'problem' || state === 'warning')
    .toSorted((a, b) => Number(b.state === 'problem') - Number(a.state === 'problem'));
  const isWhole = alerts.length <= mostAlerts;
  const shownAlerts = isWhole ? alerts : alerts.slice(0, mostAlerts - 1);
  const rest = alerts.length - shownAlerts.length;
  return [
    ...shownAlerts.map((finding) => findingLine(finding, colour, say)),
    ...(rest > 0 ? [say(`  … and ${rest} more: npm run doctor -- --json tells all`)] : []),
    ...groups.flatMap(([name, of]) =>
      groupLine(
        name,
        findings.filter(({ examined }) => of.test(examined)),
        colour,
        say,
      ),
    ),
  ];
}

function groupLine(name: string, findings: readonly Remark[], colour: boolean, say: Say): string[] {
  const quiet = findings.filter(({ state }) => state === 'ok' || state === 'not set' || state === 'skipped');
  const told = quiet.filter(({ state }) => state === 'ok').map(({ examined, found }) => wordsOf(examined, say(found)));
  const ofState = (wanted: State): readonly Remark[] => quiet.filter(({ state }) => state === wanted);
  const unset = [...new Set(ofState('not set').map(({ examined, found }) => unsetWords(examined, say(found))))];
  const left = [...new Set(ofState('skipped').map(({ found }) => `${say('not examined:')} ${say(found)}`))];
  const text = [...told, ...left, ...(unset.length === 0 ? [] : [`${say('not set:')} ${unset.join(', ')}`])].join('; ');
  if (text === '') return [];
  const state = told.length > 0 ? 'ok' : left.length > 0 ? 'skipped' : 'not set';
  const cut = shortened(text, longestLine);
  return [writtenLine({ state, examined: say(name), found: cut === text ? text : say(cut) }, colour, say)];
}

/** A setting is named with what was found of it; other things speak for themselves. */
function wordsOf(examined: string, found: string): string {
  return examined.startsWith('NFE_') ? `${examined} ${found}` : found;
}

/** What is unset by its name, or in the words of what was found where the name tells nothing. */
function unsetWords(examined: string, found: string): string {
  return /^[A-Z_]+$/.test(examined) ? examined : found;
}

/** Whether `npm test` is worth its while, the sentence that says so, and what to do next. */
interface Conclusion {
  readonly isReady: boolean;
  readonly sentence: string;
  readonly next?: string;
}

/** What an examination comes to. */
export function conclusion(findings: readonly Remark[], coverage: Coverage | undefined): Conclusion {
  const count = (wanted: State): number => findings.filter(({ state }) => state === wanted).length;
  const warnings = count('warning') > 0 ? ` (${counted(count('warning'), 'warning')})` : '';
  const first = findings.find(({ state }) => state === 'problem');
  if (first || !coverage) {
    const sentence = `Not ready: ${counted(count('problem'), 'problem')}${warnings}`;
    return { isReady: false, sentence, ...(first?.advice === undefined ? {} : { next: first.advice }) };
  }
  const { exercised, judged } = coverage;
  const next = nextStep(coverage);
  return {
    isReady: true,
    sentence: `Ready: npm test will exercise ${exercised} of ${counted(judged, 'must clause')}${warnings}`,
    ...(next === undefined ? {} : { next }),
  };
}

/** The whole examination for programs. */
export function asJson(findings: readonly Remark[], coverage: Coverage | undefined): string {
  const { isReady, sentence, next } = conclusion(findings, coverage);
  const clauses = coverage
    ? { clauses: { exercised: coverage.exercised, judged: coverage.judged, withheld: coverage.withheld.length } }
    : {};
  const whole = {
    format: 'nfe-conformance/doctor@1',
    ready: isReady,
    conclusion: sentence,
    ...(next === undefined ? {} : { next }),
    ...clauses,
    findings,
  };
  return JSON.stringify(whole, undefined, 2);
}
