import { codes, type PlatformCode } from '../../contract/codes.ts';
import type { Exchange } from '../../client/transport.ts';
import { isPage } from '../html-page.ts';

/** What an answer tells about the target and the application that asked. */
export interface Answer {
  readonly status: number;
  /** Platform code, where the body has one. */
  readonly code?: number;
  /** `data` of an echo; empty where there is none. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether it is a page for people, as a proxy or a login server sends it. */
  readonly isPage: boolean;
  /** The `Date` header. */
  readonly date?: string;
}

/** A request that got no answer, and why. */
export interface Silence {
  readonly error: string;
}

/** Reads an exchange. */
export function readAnswer({ response, error = 'no response' }: Exchange): Answer | Silence {
  if (!response) return { error };
  const body = parsedObject(response.rawBody.toString('utf8'));
  const code = Number(body['code'] ?? Number.NaN);
  const date = response.headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
  return {
    status: response.status,
    ...(Number.isInteger(code) ? { code } : {}),
    data: asRecord(body['data']),
    isPage: isPage(response),
    ...(date === undefined ? {} : { date }),
  };
}

/** Whether it is that refusal. */
export function isRefusal(answer: Answer, { status, code }: PlatformCode): boolean {
  return answer.status === status && answer.code === code;
}

/** The refusal of the gateway that an answer is, if it is one. */
export function refusalOf(answer: Answer): PlatformCode | undefined {
  return Object.values<PlatformCode>(codes).find((refusal) => isRefusal(answer, refusal));
}

/** An answer in a word or two: "200", "403/10009004 (application disabled)". */
export function answerText(answer: Answer | Silence): string {
  if ('error' in answer) return `nothing (${answer.error})`;
  const { status, code } = answer;
  const meaning = refusalOf(answer)?.meaning;
  return `${status}${code === undefined ? '' : `/${code}`}${meaning === undefined ? '' : ` (${meaning})`}`;
}

function parsedObject(text: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
