import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import type { Step } from '../../schemas/story.ts';
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

/** What every script holds: without types and comments, as Node runs it. */
const runtime = withoutTypes(readFileSync(new URL('runtime.ts', import.meta.url), 'utf8'))
  .replaceAll(/^ *\/\*.*\*\/\n/gm, '')
  .replaceAll(/[ \t]+$/gm, '')
  .replaceAll(/\n{2,}/g, '\n')
  .trim();

/**
 * A script for Node 22 or later, to be saved as `repeat.mjs`, that takes all the steps of a failing case again: it makes its
 * applications, sends its requests signed anew, receives its deliveries and moves its clock, and ends with 1 where all comes as in
 * the run, with 0 where it does not any more, with 2 where a step can't be taken. `undefined` where a step can't be, whatever is at hand.
 */
export function storyScript(steps: readonly Step[], facts: StoryFacts): string | undefined {
  if (!isRepeatable(steps)) return undefined;
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

/** Whether everything that was sent is known. */
export function isRepeatable(steps: readonly Step[]): boolean {
  return steps.some(({ kind }) => kind === 'call') && steps.every((step) => step.kind !== 'call' || (!step.isFlawed && !isCutOff(step)));
}

function isCutOff({ evidence: { request } }: Extract<Step, { evidence: unknown }>): boolean {
  const isUpload = request.headers.some(([name = '', value = '']) => /^content-type$/i.test(name) && /^multipart\//i.test(value));
  return request.body?.cut === true && !isUpload;
}

/** The variables that a script needs, each with what it holds. */
function needsOf(steps: readonly Step[]): string[] {
  const text = JSON.stringify(steps);
  const named = [...new Set(text.match(/\$NFE_[A-Z_]+/g))].map((name) => `${name.slice(1)}: what the report shows as ${name}`);
  const isMade = steps.some(({ kind }) => kind === 'steering');
  const isReceiving = steps.some(({ kind }) => kind === 'delivery');
  return [
    ...named,
    ...(isMade ? ["NFE_CONTROL_URL, NFE_CONTROL_TOKEN: the target's control API"] : []),
    ...(text.includes('"$APP_SECRET"') && !isMade ? ['NFE_APP_SECRET: the secret of an application in the same condition'] : []),
    ...(text.includes('(an uploaded file, not shown)') ? ['NFE_PROFILE: the folder with certificado.pfx and certificado.json'] : []),
    ...(isReceiving ? ['NFE_WEBHOOK_LISTEN, NFE_WEBHOOK_PUBLIC_URL: where deliveries arrive, where that is not this machine'] : []),
  ];
}

/** Node warns that this way to ask for it may change; who reads a report can do nothing about that. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}
