import { isUtf8 } from 'node:buffer';
import { isOfWay, type PlatformCode } from '../../contract/values.ts';
import { jsonOf, quotedOf, textOf, type Response, type Exchange } from '../../trace/exchange.ts';
import { endpointAt, calledEndpoint } from '../../contract/endpoints.ts';
import {
  isLetPass,
  isPerhapsForItsQuery as isForQuery,
  isUnread,
  isRefusal,
  notJson,
  summaryOf,
  type AnswerFacts,
} from '../../judge/answers.ts';
import type { ExchangeRecord } from '../../trace/records.ts';
import { LeftOut, NotExercised } from '../../targets/not-exercised.ts';

export { contentOf, isEnveloped, refusalText } from '../../judge/answers.ts';

/** The body of a response as JSON; `undefined` where it is none. */
export function jsonBody(exchange: Exchange): unknown {
  return exchange.response && jsonOf(exchange.response);
}

/** What the body of a response is that is no JSON. */
export function notJsonIn({ response }: Exchange): string {
  return notJson({ body: response?.rawBody ?? Buffer.alloc(0) });
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

/** The names of the members of a JSON object, as a report shows them. */
export function memberNames(value: unknown): string {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return names.slice(0, 30).join(', ') || 'none';
}

/** Whether the gateway let the request pass, whatever the endpoint made of it. */
export function isAccepted(exchange: Exchange): boolean {
  const { response } = exchange;
  return response !== undefined && isLetPass({ ...answerIn(exchange, response), ...endpointOf(exchange) });
}

function endpointOf({ request: { method, parts } }: Exchange): Pick<ExchangeRecord, 'endpoint'> {
  const called = calledEndpoint(method, parts.path);
  return called && 'name' in called ? { endpoint: called } : {};
}

/** Throws a LeftOut where a request was turned away for what no rule of the gateway speaks of. */
export function leaveOutUnread(exchange: Exchange): void {
  if (isTurnedAway(exchange)) throw new LeftOut(`no such request is taken: ${summary(exchange)}`);
}

function isTurnedAway(exchange: Exchange): boolean {
  const { response, request } = exchange;
  if (!response) return false;
  const answer = { ...answerIn(exchange, response), ...endpointOf(exchange) };
  const [, contentType = ''] = request.headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const sent = { target: request.target, requestBody: request.rawBody ?? Buffer.alloc(0), contentType };
  return isUnread(answer, { ...sent, hasTransfer: request.transfer !== undefined });
}

/** Whether it may be for the query behind its path that nothing was found. */
export function isPerhapsForItsQuery(exchange: Exchange): boolean {
  const { response, request } = exchange;
  return (
    response !== undefined && isForQuery({ ...answerIn(exchange, response), ...endpointOf(exchange) }, request.target)
  );
}

/** Whether the request was refused with that code, as a number or a text. */
export function isRefused(exchange: Exchange, refusal: PlatformCode): boolean {
  return exchange.response !== undefined && isRefusal(answerIn(exchange, exchange.response), refusal);
}

function answerIn(exchange: Exchange, { status, rawBody }: Response): AnswerFacts {
  return { status, json: jsonBody(exchange), body: rawBody };
}

/** What a response came to, in a few words: "401, code 10009003". */
export function summary(exchange: Exchange): string {
  const { response, error = 'unknown reason' } = exchange;
  if (!response) return `no response (${error})`;
  const { status, rawBody, wholeBytes, undecoded } = response;
  if (wholeBytes !== undefined) return `${status}, a body of more than ${rawBody.length} bytes, which is not read`;
  if (undecoded !== undefined) return `${status}, a body that can't be decoded: ${undecoded}`;
  return summaryOf(answerIn(exchange, response));
}

/** What these answer when they accept is shown nowhere, so that a word will do, or is to be nothing, which has clauses of its own. Section 4.1. */
const ofFreeAnswer = new Set<string | undefined>([
  'certificado-association',
  'webhook-registration',
  'nfe-issuance',
  'nfe-cancellation',
]);

/** Whether the service says something that nobody can read: neither nothing nor JSON, nor a document. */
export function isUnreadable(exchange: Exchange): boolean {
  const { request, response } = exchange;
  if (!response || request.isLink || isTurnedAway(exchange)) return false;
  // What stands in the way answers with these as it likes.
  if (response.status === 429 || isOfWay(response.status)) return false;
  if (response.status === 200 && ofFreeAnswer.has(endpointAt(request.method, request.target)?.name)) return false;
  const { rawBody, wholeBytes } = response;
  return wholeBytes !== undefined || (rawBody.length > 0 && jsonOf(response) === undefined);
}

/** What an answer was, with the start of its body: the reason why a set-up step failed. It is shortened further once it is masked. */
export function briefly(exchange: Exchange): string {
  const text = exchange.response ? quotedOf(exchange.response) : '';
  return text === '' ? summary(exchange) : `${exchange.response?.status}: ${text}`;
}

/**
 * Why a check can't be made whose request was refused. What an endpoint refuses may be up to what the profile sent; what the gateway
 * refuses, before anybody reads a body, is up to the target. A 403 stays with the settings: they say what an application may call.
 */
export function bodyRefused(what: string, exchange: Exchange): NotExercised {
  const { status } = exchange.response ?? {};
  // No other body mends what the service itself breaks at.
  if (status === 500) return new NotExercised(`the service fails at ${what}: ${briefly(exchange)}`, 'target');
  const isGateways = status !== undefined && status !== 403 && !isAccepted(exchange);
  return isGateways
    ? new NotExercised(`a correct request was refused before its body was read: ${summary(exchange)}`, 'target')
    : new NotExercised(`${what} was refused: ${briefly(exchange)}`, 'settings');
}
