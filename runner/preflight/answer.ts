import { codes, type PlatformCode } from '../../contract/values.ts';
import { jsonOf, type Exchange, type Response } from '../../trace/exchange.ts';
import { isPage } from './html-page.ts';

/** What an answer tells about the target and the application that asked. */
export interface TargetAnswer {
  readonly status: number;
  /** Platform code, where the body has one. */
  readonly code?: number;
  /** `data` of an echo; empty where there is none. */
  readonly data: Readonly<Record<string, unknown>>;
  /** What its body is: JSON, a page for people as a proxy or a login server sends it, another text, or nothing. */
  readonly form: 'json' | 'page' | 'text' | 'nothing';
  /** The `Date` header. */
  readonly date?: string;
  /** The `Location` header. */
  readonly location?: string;
  /** Whether it asks for a user and a password, by `WWW-Authenticate`. */
  readonly asksForLogin?: true;
  /** Whether a simulator says that faults on demand are armed at this application. */
  readonly hasFaults?: true;
}

/** A request that got no answer, and why. */
export interface Silence {
  readonly error: string;
}

/** Reads an exchange. */
export function readAnswer({
  response,
  error = 'no response',
}: Pick<Exchange, 'response' | 'error'>): TargetAnswer | Silence {
  if (!response) return { error };
  const header = (wanted: string): string | undefined =>
    response.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const json = jsonOf(response);
  const body = asRecord(json);
  const code = Number(body['code'] ?? Number.NaN);
  const [date, location] = [header('date'), header('location')];
  return {
    status: response.status,
    ...(Number.isInteger(code) ? { code } : {}),
    data: asRecord(body['data']),
    form: formOf(response, json),
    ...(date === undefined ? {} : { date }),
    ...(location === undefined ? {} : { location }),
    ...(header('www-authenticate') === undefined ? {} : { asksForLogin: true }),
    ...(header('x-simulator-faults') === undefined ? {} : { hasFaults: true }),
  };
}

function formOf(response: Response, json: unknown): TargetAnswer['form'] {
  if (response.rawBody.length === 0) return 'nothing';
  if (json !== undefined) return 'json';
  return isPage(response) ? 'page' : 'text';
}

/** Whether it is that refusal. */
export function isRefusal(answer: TargetAnswer, { status, code }: PlatformCode): boolean {
  return answer.status === status && answer.code === code;
}

/** The refusal of the gateway that an answer is, if it is one. */
export function refusalOf(answer: TargetAnswer): PlatformCode | undefined {
  return Object.values<PlatformCode>(codes).find((refusal) => isRefusal(answer, refusal));
}

/** An answer in a word or two: "200", "403/10009004 (application disabled)". */
export function answerText(answer: TargetAnswer | Silence): string {
  if ('error' in answer) return `nothing (${answer.error})`;
  const { status, code } = answer;
  const meaning = refusalOf(answer)?.meaning;
  return `${status}${code === undefined ? '' : `/${code}`}${meaning === undefined ? '' : ` (${meaning})`}`;
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
