import { isUtf8 } from 'node:buffer';
import type { PlatformCode } from '../../contract/codes.ts';
import { jsonText } from '../../schemas/json-text.ts';
import { jsonOf, textOf } from '../../client/body-text.ts';
import type { Response } from '../../client/reception.ts';
import type { Exchange } from '../../client/transport.ts';

export { contentOf, isEnveloped } from '../../judge/answers.ts';

/** The body of a response as JSON; `undefined` where it is none. */
export function jsonBody(exchange: Exchange): unknown {
  return exchange.response && jsonOf(exchange.response);
}

/** The text of the body of a response, in the charset that it states; empty where there is no response. */
export function bodyText(exchange: Exchange): string {
  return exchange.response ? textOf(exchange.response) : '';
}

/** All that an answer says: its headers and its body, in its charset and, where it is no UTF-8, byte by byte as well. */
export function answerText({ response }: Exchange): string {
  if (!response) return '';
  const { headers, rawBody } = response;
  const lines = headers.map(([name, value]) => `${name}: ${value}`);
  return [...lines, '', textOf(response), isUtf8(rawBody) ? '' : rawBody.toString('latin1')].join('\n');
}

/** A member of a JSON object, or `undefined`. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  // Asked for one by one: an object may have a hundred thousand.
  const found: unknown = Object.getOwnPropertyDescriptor(value, name)?.value;
  return found;
}

/** The names of the members of a JSON object, as a report shows them. */
export function memberNames(value: unknown): string {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return names.slice(0, 30).join(', ') || 'none';
}

/** What the gateway refuses with, and what a proxy in the way answers. */
const notAccepted = new Set([401, 403, 410, 429, 502, 503, 504]);

/**
 * Whether the gateway let the request pass: it was answered, and neither with a refusal of the gateway's nor by a proxy in the
 * way nor with an error envelope under a 200. What the endpoint made of it is not looked at, but that echo says 200.
 */
export function isAccepted(exchange: Exchange): boolean {
  const status = exchange.response?.status;
  if (status === undefined || notAccepted.has(status)) return false;
  if (exchange.request.parts.path === '/openapi/demo/echo' && status !== 200) return false;
  return member(jsonBody(exchange), 'success') !== false || status !== 200;
}

/**
 * Whether the request was refused with that code. The code may be a number or a text here and the rest of the envelope is
 * not looked at: those have clauses of their own, and one defect is to fail one clause.
 */
export function isRefused(exchange: Exchange, refusal: PlatformCode): boolean {
  return exchange.response?.status === refusal.status && String(codeOf(exchange)) === String(refusal.code);
}

/** What a response came to, in a few words: "401, code 10009003". */
export function summary(exchange: Exchange): string {
  if (!exchange.response) return `no response (${exchange.error ?? 'unknown reason'})`;
  const code = codeOf(exchange);
  if (code !== undefined) return `${exchange.response.status}, code ${jsonText(code)}`;
  return `${exchange.response.status}, ${kindOf(exchange.response)}`;
}

function kindOf(response: Response): string {
  const { rawBody, wholeBytes, undecoded } = response;
  if (wholeBytes !== undefined) return `a body of more than ${rawBody.length} bytes, which is not read`;
  if (rawBody.length === 0) return 'an empty body';
  if (jsonOf(response) !== undefined) return 'no code';
  return undecoded === undefined ? 'a body that is no JSON' : `a body that can't be decoded: ${undecoded}`;
}

/** What a refusal with that code reads like. */
export function refusalText(refusal: PlatformCode): string {
  return `${refusal.status}, code ${refusal.code} (${refusal.meaning})`;
}

function codeOf(exchange: Exchange): unknown {
  return member(jsonBody(exchange), 'code');
}
