import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { uploadNotShown, type Step } from '../../schemas/evidence.ts';
import type { Call, Story } from './runtime/kit.ts';
import { isMaskedDocument } from './runtime/profile.ts';
import type { Finding } from '../../schemas/finding.ts';
import { endpointAt } from '../../contract/endpoints.ts';
import type { CheckResult, ClauseResult, Observations, Results } from '../../schemas/results.ts';
import { findingsIn } from '../findings/findings.ts';

/** What a script says of the case that it repeats. */
export interface ScriptFacts {
  /** Base address of the run's target, where `NFE_BASE_URL` names no other. */
  readonly baseUrl: string;
  readonly clause: string;
  /** Command that repeats the check. */
  readonly replay?: string;
  readonly expected: string;
  readonly actual: string;
  /** How often its clause was seen kept and broken. */
  readonly observations?: Pick<Observations, 'right' | 'wrong'>;
}

/** The files of what every script holds, each behind those that it imports. */
const parts = [
  'kit',
  'requests',
  'profile',
  'receiver',
  'telling',
  'likeness',
  'documents',
  'fresh-ids',
  'applications',
  'companies',
  'steps',
  'steering',
  'repetition',
];

/** What every script holds: one file of them all, without types and comments, as Node runs it. */
const runtime = bundled(parts.map((name) => readFileSync(new URL(`runtime/${name}.ts`, import.meta.url), 'utf8')));

function bundled(sources: readonly string[]): string {
  const statements = sources.flatMap((source) => withoutTypes(source).split(';\n'));
  const lines = statements.flatMap((text) => `${onOneLine(text)};`.split('\n'));
  const imports = lines.flatMap((line) => /^import (.+) from '(node:[a-z/]+)';$/.exec(line) ?? []);
  const heads = Map.groupBy(
    imports.flatMap((what, at) => (at % 3 === 1 ? [{ what, from: imports[at + 1] ?? '' }] : [])),
    ({ from }) => from,
  );
  const told = [...heads].map(([from, all]) => {
    const names = new Set(all.flatMap(({ what }) => what.split(/[{},]/).map((name) => name.trim())));
    names.delete('');
    const isNamed = all.some(({ what }) => what.startsWith('{'));
    return `import ${isNamed ? `{ ${[...names].join(', ')} }` : [...names].join('')} from '${from}';`;
  });
  const rest = lines
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !/^ *\/\*\*.*\*\/$|^import /.test(line));
  return [...told, ...rest.map((line) => line.replace(/^export /, ''))].join('\n');
}

/** An import over several lines on one; anything else as it is. */
function onOneLine(statement: string): string {
  return statement.trimStart().startsWith('import ') ? statement.trim().replaceAll('\n', ' ') : statement.trimEnd();
}

/**
 * A script for Node 22 or later, to be saved as `repeat.mjs`, that takes all the steps of a failing case again: it makes its
 * applications, sends its requests signed anew, receives its deliveries and moves its clock, and ends with 1 where all comes as in
 * the run, with 0 where it does not any more, with 2 where a step can't be taken. It is for steps that lack nothing.
 */
export function repeatScript(steps: readonly Step[], facts: ScriptFacts): string {
  const { baseUrl, clause, expected, actual } = facts;
  const wholeCheck = facts.replay ?? `npm test -- --clause ${clause}`;
  const due = dueOf(expected);
  const enough = enoughTries(facts.observations);
  const tries = isHarmless(steps) ? Math.min(mostTries, enough) : 1;
  const told = { baseUrl, expected, actual, wholeCheck, steps, tries, enough, ...(due === undefined ? {} : { due }) };
  const notes = [
    `A case of a conformance run, step by step: clause ${clause}, ${steps.length} steps.`,
    `The whole check: ${wholeCheck}`,
    'Run it by `node repeat.mjs` (Node 22 or later) with these variables in the environment:',
    ...needsOf(steps).map((line) => `  ${line}`),
    `  NFE_BASE_URL: the server's address, where it is not ${baseUrl}`,
    'It ends with 1 where everything comes as in the run, with 0 where it does not any more, with 2 where a step can not be taken.',
  ];
  return [
    ...notes.map((line) => `// ${commentText(line)}`),
    runtime,
    `process.exitCode = await repeat(JSON.parse(${literal(JSON.stringify(told))}));`,
    '',
  ].join('\n');
}

const mostTries = 60;
/** By so many times the usual distance of what is wrong it shows in 95 of 100. */
const usualTries = 3;

/** How often a case is to be tried that may not be wrong every time: until it would have shown. */
function enoughTries(observations: ScriptFacts['observations']): number {
  const { right, wrong } = observations ?? { right: 0, wrong: 0 };
  return right > 0 && wrong > 0 ? Math.ceil((usualTries * (right + wrong)) / wrong) : 1;
}

/** Whether a case leaves nothing behind, however often it is tried. */
function isHarmless(steps: readonly Step[]): boolean {
  return steps.every((step) => step.kind === 'steering' || (step.kind === 'call' && leavesNothing(step)));
}

function leavesNothing({ evidence: { request } }: Call): boolean {
  return endpointAt(request.method, request.target)?.leaves === undefined;
}

/** Why a case can't be repeated by a script: what is not known of its steps, of how a request was signed, of a body. */
export type Lack = 'steps' | 'request' | 'body';

/** What steps lack to be taken again, whatever is at hand; `undefined` where it is nothing. */
export function lackIn(steps: readonly Step[]): Lack | undefined {
  const calls = steps.filter((step): step is Call => step.kind === 'call');
  if (!steps.some(({ kind }) => kind === 'call' || kind === 'steering')) return 'steps';
  // What the control API told is not known.
  const last = steps.at(-1);
  if (last?.kind === 'steering' && last.call.method === 'GET') return 'steps';
  if (calls.some(({ isFlawed }) => isFlawed)) return 'request';
  return calls.some(isCutOff) ? 'body' : undefined;
}

function isCutOff({ evidence: { request } }: Call): boolean {
  return request.body?.cut === true && request.body.text !== uploadNotShown;
}

/** The variables that a script needs, each with what it holds. */
function needsOf(steps: readonly Step[]): string[] {
  const text = JSON.stringify(steps);
  const named = [...new Set(text.match(/\$NFE_[A-Z_]+/g))].map(
    (name) => `${name.slice(1)}: what the report shows as ${name}`,
  );
  const isMade = steps.some(({ kind }) => kind === 'steering');
  const isReceiving = steps.some(({ kind }) => kind === 'delivery');
  const ofProfile = [
    ...(text.includes(uploadNotShown) ? ['certificado.pfx and certificado.json'] : []),
    ...(steps.some((step) => step.kind === 'call' && isMaskedDocument(step.evidence.request.body?.text ?? ''))
      ? ['the documents that the run sent']
      : []),
  ];
  return [
    ...named,
    ...(isMade ? ["NFE_CONTROL_URL, NFE_CONTROL_TOKEN: the target's control API"] : []),
    ...(text.includes('"$APP_SECRET"') && !isMade
      ? ['NFE_APP_SECRET: the secret of an application in the same condition']
      : []),
    ...(ofProfile.length === 0 ? [] : [`NFE_PROFILE: the folder with ${ofProfile.join(' and ')}`]),
    ...(isReceiving
      ? ['NFE_WEBHOOK_LISTEN, NFE_WEBHOOK_PUBLIC_URL: where deliveries arrive, where that is not this machine']
      : []),
  ];
}

/** Node warns that this way to ask for it may change; who reads a report can do nothing about that. */
function withoutTypes(source: string): string {
  const asItWas = Object.getOwnPropertyDescriptor(process, 'emitWarning');
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    if (asItWas) Object.defineProperty(process, 'emitWarning', asItWas);
  }
}

/** A text as a literal of JavaScript: ASCII only and without `<`, so that it can't end a line, a literal or a page's script. */
export function literal(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[<\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A text as the rest of a `//` comment, on one line. */
export function commentText(text: string): string {
  return literal(text).slice(1, -1).replaceAll('\\"', '"');
}

/** "410, code 10009034 (endpoint retired)", "404". */
const dueAnswer = /^(\d{3})(?:, code (\d+)(?: \([^()]*\)|, platform envelope))?$/;

/** The answers that the words of a check name as due; `undefined` where they demand more than a status and a code. */
function dueOf(expected: string): Story['due'] {
  if (expected === 'accepted by the gateway') return 'accepted';
  const named = expected.split(' or ').map((words) => dueAnswer.exec(words));
  if (!named.every((found) => found !== null)) return undefined;
  return named.map(([, status = '', code]) => ({ status: Number(status), ...(code === undefined ? {} : { code }) }));
}

/**
 * The check that shows a finding best to who repeats it: one of which every step is known, rather one whose applications no other
 * case had used before (what those did is no step of its story), rather one that was made for it.
 */
function checkToRepeat({ evidence }: Finding, { clauses }: Pick<Results, 'clauses'>): CheckResult | undefined {
  const checks = evidence.flatMap(({ clause, check }) => {
    const found = clauses.find(({ id }) => id === clause)?.checks.find(({ name }) => name === check);
    return found ? [found] : [];
  });
  const known = checks.filter(({ story }) => story && lackIn(story) === undefined);
  const whole = known.filter(({ story = [] }) => makesItsApplications(story));
  const isMade = ({ inPassing }: CheckResult) => !inPassing;
  return whole.find(isMade) ?? whole[0] ?? known.find(isMade) ?? known[0] ?? checks[0];
}

/** Whether all that an application went through is told: it is made in the case itself, or is one of the run's own secrets. */
function makesItsApplications(story: readonly Step[]): boolean {
  const made = new Set(story.flatMap((step) => (step.kind === 'steering' && !step.isSetUp ? [step.application] : [])));
  return story.every((step) => step.kind !== 'call' || step.application === undefined || made.has(step.application));
}

/** The checks whose scripts repeat the findings of a run. */
export function checksToRepeat(results: Pick<Results, 'clauses' | 'findings'>): ReadonlySet<CheckResult> {
  return new Set(findingsIn(results).flatMap((finding) => checkToRepeat(finding, results) ?? []));
}

/** A script, or why there can be none. */
type ScriptOrLack = { readonly script: string } | { readonly lack: Lack };

/** What takes all steps of the failing case of a check again. */
export function scriptOfCheck(
  { id: clause, observations }: Pick<ClauseResult, 'id' | 'observations'>,
  { story, error, replay }: CheckResult,
  baseUrl: string,
): ScriptOrLack {
  if (!story || !error) return { lack: 'steps' };
  const lack = lackIn(story);
  if (lack !== undefined) return { lack };
  const { expected, actual } = error;
  const facts = {
    baseUrl,
    clause,
    expected,
    actual,
    ...(replay === undefined ? {} : { replay }),
    ...(observations ? { observations } : {}),
  };
  return { script: repeatScript(story, facts) };
}

/** Findings of which a script is written: those that break most. */
const mostScripts = 20;

/** The scripts of the findings of a run, each by the name of its file. */
export function scriptFiles(results: Results): ReadonlyMap<string, string> {
  const told = findingsIn(results).flatMap((finding) => {
    const check = checkToRepeat(finding, results);
    const clause = results.clauses.find(({ checks }) => checks.some((one) => one === check));
    const made = clause && check && scriptOfCheck(clause, check, results.target.baseUrl);
    return made && 'script' in made
      ? [[`repeat-${finding.id.replaceAll(/[^\w.-]+/g, '-')}.mjs`, made.script] as const]
      : [];
  });
  return new Map(told.slice(0, mostScripts));
}

/** Whether a file is one of these. */
export function isScriptFile(name: string): boolean {
  return /^repeat-[\w.-]+\.mjs$/.test(name);
}
