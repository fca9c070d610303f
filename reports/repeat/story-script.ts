import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { Step } from '../../schemas/evidence.ts';
import { commentText, literal } from './code.ts';
import { dueOf } from './due.ts';

/** What a script says of the case that it repeats. */
export interface StoryFacts {
  /** Base address of the run's target, where `NFE_BASE_URL` names no other. */
  readonly baseUrl: string;
  readonly clause: string;
  /** Command that repeats the check. */
  readonly replay?: string;
  readonly expected: string;
  readonly actual: string;
}

/** The files of what every script holds, each behind those that it imports. */
const parts = ['kit', 'masked', 'signing', 'sending', 'profile', 'receiver', 'likeness', 'repetition'];

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
export function storyScript(steps: readonly Step[], facts: StoryFacts): string {
  const { baseUrl, clause, expected, actual } = facts;
  const wholeCheck = facts.replay ?? `npm test -- --clause ${clause}`;
  const due = dueOf(expected);
  const told = { baseUrl, expected, actual, wholeCheck, steps, ...(due === undefined ? {} : { due }) };
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

/** Why a case can't be repeated by a script: what is not known of its steps, of one of its requests, or of what is to come. */
export type Lack = 'steps' | 'request' | 'body' | 'comparison';

/** What steps lack to be taken again, whatever is at hand; `undefined` where it is nothing. */
export function lackIn(steps: readonly Step[]): Lack | undefined {
  const calls = steps.filter((step): step is Call => step.kind === 'call');
  if (!steps.some(({ kind }) => kind === 'call' || kind === 'steering')) return 'steps';
  if (calls.some(({ isFlawed }) => isFlawed)) return 'request';
  return calls.some(isCutOff) ? 'body' : undefined;
}

type Call = Extract<Step, { evidence: unknown }>;

function isCutOff({ evidence: { request } }: Call): boolean {
  const isUpload = request.headers.some(
    ([name = '', value = '']) => /^content-type$/i.test(name) && /^multipart\//i.test(value),
  );
  return request.body?.cut === true && !isUpload;
}

/** The variables that a script needs, each with what it holds. */
function needsOf(steps: readonly Step[]): string[] {
  const text = JSON.stringify(steps);
  const named = [...new Set(text.match(/\$NFE_[A-Z_]+/g))].map(
    (name) => `${name.slice(1)}: what the report shows as ${name}`,
  );
  const isMade = steps.some(({ kind }) => kind === 'steering');
  const isReceiving = steps.some(({ kind }) => kind === 'delivery');
  return [
    ...named,
    ...(isMade ? ["NFE_CONTROL_URL, NFE_CONTROL_TOKEN: the target's control API"] : []),
    ...(text.includes('"$APP_SECRET"') && !isMade
      ? ['NFE_APP_SECRET: the secret of an application in the same condition']
      : []),
    ...(text.includes('(an uploaded file, not shown)')
      ? ['NFE_PROFILE: the folder with certificado.pfx and certificado.json']
      : []),
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
