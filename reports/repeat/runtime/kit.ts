import type { Step } from '../../../schemas/evidence.ts';

/** What a script repeats, and what it is to say of it. */
export interface Story {
  readonly baseUrl: string;
  readonly expected: string;
  readonly actual: string;
  /** The answers that are due to the last request, where these are all that tells. */
  readonly due?: readonly { readonly status: number; readonly code?: string }[] | 'accepted';
  readonly wholeCheck: string;
  /** How often all of it is tried before it is said not to come any more. */
  readonly tries: number;
  /** How often it would have to be tried to tell that: what leaves something behind is tried once. */
  readonly enough: number;
  readonly steps: readonly Step[];
}

export type Call = Extract<Step, { evidence: unknown }>;

export type Steering = Extract<Step, { kind: 'steering' }>;

export type Headers = readonly (readonly [string, string])[];

/** What can't be done with what is at hand: one line, and the script ends with 2. */
export class NotTried extends Error {}

/** What came otherwise than in the run, and whether it is wrong all the same. */
export class Otherwise extends Error {
  readonly isWrong: boolean;
  constructor(words: string, isWrong = false) {
    super(words);
    this.isWrong = isWrong;
  }
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export interface Arrival {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly body: Buffer;
  readonly atMs: number;
}

export const env = process.env;

const hidden: [value: string, name: string][] = [];

/** Hides a value wherever it is shown from now on, as it stands and in JSON. */
export function hide(value: string, name: string): string {
  for (const writing of new Set([value, JSON.stringify(value).slice(1, -1)])) hidden.push([writing, name]);
  return value;
}

/** No secret, nor what it is in another writing, and no control character reaches the terminal. */
export function shown(text: string): string {
  const long = hidden.filter(([value]) => value.length >= plainPart);
  return (
    hidden
      .reduce((masked, [value, name]) => masked.split(value).join(name), text)
      .replace(stretches, (stretch) => heldIn(stretch, plainPart, long) ?? stretch)
      // oxlint-disable-next-line no-control-regex -- it is these that are sought
      .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, (unit) => `\\x${unit.charCodeAt(0).toString(16).padStart(2, '0')}`)
  );
}

/** What stands in a report for the secrets of an application, the first and that of each rotation. */
export const secretNames = ['$APP_SECRET', '$NEW_APP_SECRET', '$NEWER_APP_SECRET'];

/** Whether a mask stands in a text for a secret, or a part of one. */
export function namesSecret(text: string): boolean {
  return /\$[A-Z_]*SECRET/.test(text);
}

/** Characters of a secret in a row that are no accident, where one is looked for and anywhere else. */
const [tellingPart, plainPart] = [6, 8];

/** What may be a secret, or a part of one, in another writing. */
const stretches = /[\w+/%=.~-]{4,}/g;

/** Whether a text holds a part of a secret of this repetition, in either letter case and whatever it is written in. */
export function holdsSecret(text: string): boolean {
  return [text, ...(text.match(stretches) ?? [])].some((stretch) => heldIn(stretch, tellingPart) !== undefined);
}

/** The name of a secret of which so many characters, or all, are in a stretch of text; `undefined` where there is none. */
function heldIn(stretch: string, part: number, secrets: typeof hidden = hidden): string | undefined {
  const readings = readingsOf(stretch).map((reading) => reading.toLowerCase());
  const isHeld = (value: string): boolean => {
    const length = Math.min(part, value.length);
    const parts = Array.from({ length: value.length - length + 1 }, (_, at) => value.slice(at, at + length));
    return parts.some((one) => readings.some((reading) => reading.includes(one.toLowerCase())));
  };
  return secrets.find(([value]) => isHeld(value))?.[1];
}

/** A stretch as it stands, without percent escapes, and what its base64 and its hexadecimal digits are, wherever these begin. */
function readingsOf(stretch: string): string[] {
  const ofRuns = (digits: RegExp, encoding: BufferEncoding, group: number): string[] =>
    (stretch.match(digits) ?? []).flatMap((run) =>
      Array.from({ length: group }, (_, at) => Buffer.from(run.slice(at), encoding).toString('utf8')),
    );
  const plain = stretch.replace(/%([\da-f]{2})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return [stretch, plain, ...ofRuns(/[\w+/-]{8,}/g, 'base64', 4), ...ofRuns(/[\da-f]{12,}/gi, 'hex', 2)];
}

export function secretNamed(name: string): string {
  const value = env[name];
  if (!value) throw new NotTried(`${name} is not set`);
  return hide(value, `$${name}`);
}

export function atOf(step: Step): number {
  return (step.kind === 'steering' ? step.call.at : step.evidence.at) ?? 0;
}

export function endOf(step: Step): number {
  return atOf(step) + (step.kind === 'call' ? step.evidence.durationMs : 0);
}

export function codeIn(body: Buffer): string {
  const json = jsonIn(body.toString('utf8'));
  return typeof json === 'object' && json !== null && 'code' in json ? String(json.code) : '';
}

/** App Keys of the run for which steps make an application by the control API; all others were there before. */
export function madeIn(steps: readonly Step[]): ReadonlySet<string> {
  const isMade = (step: Step): boolean => step.kind === 'steering' && step.call.path === '/applications';
  return new Set(steps.flatMap((step) => (isMade(step) ? (step.application ?? '') : [])));
}

/** Whether an answer is one that is due. */
export function isDue(due: NonNullable<Story['due']>, { status, body }: Answer): boolean {
  if (due === 'accepted') return ![401, 403, 410, 429].includes(status);
  const code = codeIn(body);
  return due.some((one) => one.status === status && (one.code ?? code) === code);
}

/** The members of a JSON object; none of anything else. */
export function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function pairs(headers: readonly (readonly string[])[]): Headers {
  return headers.map(([name = '', value = '']) => [name, value]);
}

export function pairsOf(raw: readonly string[]): Headers {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []));
}

/** Names that a mask puts in the place of what it hides, and what an allowance tells of a text instead of the text. */
const maskName =
  /\$[A-Za-z][A-Za-z_]*(?:\.[a-z]+:\w+)?|\(another token of \d+ characters\)|… \d{1,9} (?:letter|digit|character)s?(?: ~[\da-z]{4})?/;

const hiddenWhole = /^… \d{1,9} (?:letter|digit|character)s?(?: ~[\da-z]{4})?$/;

/** Whether a mask hides some of a text. */
export function hasMask(text: string): boolean {
  return maskName.test(text);
}

/** Whether a mask tells of a text its length and its kind alone. */
export function isHiddenWhole(text: string): boolean {
  return hiddenWhole.test(text);
}

/** How many characters a text has of which a mask tells parts by their lengths; `undefined` where it hides others. */
export function shownLength(masked: string): number | undefined {
  const stand = /… (\d{1,9}) (?:letter|digit|character)s?(?: ~[\da-z]{4})?/g;
  const hidden = [...masked.matchAll(stand)].reduce((sum, [, count]) => sum + Number(count), 0);
  const rest = masked.replaceAll(stand, '');
  return maskName.test(rest) ? undefined : Array.from(rest).length + hidden;
}

/** Whether a text is one that a mask may have changed so: what is left of it stands there in this order. */
export function fits(masked: string, text: string): boolean {
  if (isHiddenWhole(masked)) return text !== '';
  const parts = masked.split(maskName);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === masked;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at;
}
