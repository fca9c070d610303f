import { isUtf8 } from 'node:buffer';
import { limits, type PlatformCode, nfeStates, isOfWay } from '../contract/values.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { platformEnvelope } from '../schemas/messages.ts';
import { jsonText, member, isObject } from '../schemas/values.ts';
import { fits } from '../schemas/validate.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { isPageText, jsonIn, pageStartBytes } from '../trace/exchange.ts';

const isEnvelope = fits(platformEnvelope);

/** Whether a body is a platform envelope around its content, complete or nearly. Sections 2.6 and 4.2. */
export function isEnveloped(body: unknown): boolean {
  return isObject(body) && isEnvelope(body);
}

/** What an endpoint told, taken out of an envelope that it is not to be in: the envelope has a clause of its own. */
export function contentOf(body: unknown): unknown {
  return isEnveloped(body) ? member(body, 'data') : body;
}

/** Whether a status is one of success. */
export function isSuccessful({ status }: Pick<ExchangeRecord, 'status'>): boolean {
  return status >= 200 && status <= 299;
}

/** What was asked of whom, and what came. */
type Called = Pick<ExchangeRecord, 'endpoint' | 'target' | 'status' | 'json'>;

/** A request without its query of plain characters, which is no part of the path: the answer to it is of the same kind. Reading 45. */
export function withoutQuery({ endpoint, target, status, json }: Called): Called {
  return { endpoint, target: isPlainButQuery(target) ? (target.split('?', 1)[0] ?? '') : target, status, json };
}

/**
 * Whether a request was for an endpoint, on a path without escapes and dots that somebody in the way may read otherwise. The id of
 * a company is the target's own choice: whoever stands in its way takes each escape for what the target means by it.
 */
export function isFor({ endpoint, target }: Called, name: EndpointName): boolean {
  return endpoint?.name === name && isPlain(target.replace(companySegment, '$<before>x'));
}

/** The id of a company where it stands in a path: characters of a segment and escapes, but no dot segment or control character, escaped or not. */
const companySegment =
  /^(?<before>\/openapi\/v\d\/empresas\/)(?!(?:\.|%(?:25)?2e){1,2}[/;])(?:[\w.~!$&'()*+,;=:@-]|%(?!(?:25)?(?:[01][\da-f]|7f))[\da-f]{2})+(?=\/)/i;

/** Whether what stands on the request line is a path of plain characters, without a query. */
export function isPlain(target: string): boolean {
  return /^(?:\/[\w~=:@!,+*-][\w.~=:@!,+*-]*)+$/.test(target);
}

/** The same of a path that may have a query of plain characters behind it, which is no part of it. */
export function isPlainButQuery(target: string): boolean {
  const [path = '', query = ''] = target.split('?', 2);
  return isPlain(path) && /^[\w.~&=-]*$/.test(query);
}

/** Whether an endpoint accepted a request: by its status, and without telling of an error all the same. */
export function isAcceptedBy(record: Called, name: EndpointName): boolean {
  return isFor(record, name) && isSuccessful(record) && !isTellingError(record.json);
}

/**
 * Whether a body tells of an error, whatever the status: that a refusal came with the wrong one is not for every clause to say. A
 * code without a message, or beside what was asked for, is an added field.
 */
export function isTellingError(json: unknown): boolean {
  const has = (of: unknown, ...names: readonly string[]): boolean =>
    names.some((name) => member(of, name) !== undefined);
  if (Array.isArray(json)) return has(json[0], 'codigo', 'code');
  if (member(json, 'success') === false) return true;
  const isError = has(json, 'codigo', 'code') && has(json, 'message', 'mensagem');
  return isError && member(json, 'success') !== true && !hasContent(json);
}

/** Whether an object has what only a success tells: of an envelope, or of the bare objects that fields are known of. Sections 2.6 and 4.1. */
function hasContent(json: unknown): boolean {
  const state = member(json, 'status');
  return (
    isObject(member(json, 'data')) ||
    isObject(member(json, 'validation')) ||
    typeof member(json, 'empresaId') === 'string' ||
    nfeStates.some((each) => each === state)
  );
}

/**
 * Whether an endpoint refused a right request with one of these statuses, in words of the service: what stands before it answers
 * with no JSON, or with fields of its own.
 */
export function isRefusedBy(record: ExchangeRecord, name: EndpointName, statuses: readonly number[]): boolean {
  const { status, json, isRightlySigned } = record;
  return isFor(record, name) && isRightlySigned && statuses.includes(status) && isOfService(json);
}

/** Statuses of refusals that issuance, query and cancellation have for none, and an endpoint whose errors are not shown may have. Section 7.3. */
export const otherRefusals: readonly number[] = [405, 406, 409, 415, 422];

/** Whether an endpoint turned a right request down with a status that it has for none: an error of its own, or 4xx but 400 and 404. */
export function isWronglyRefused(record: ExchangeRecord, name: EndpointName): boolean {
  return record.status === 500 ? isFor(record, name) : isRefusedBy(record, name, otherRefusals);
}

/** Whether a body reads like one of the service, right or nearly: an array, or an object with a field of its errors but the message. */
export function isOfService(json: unknown): boolean {
  return (
    Array.isArray(json) || ['code', 'codigo', 'mensagem', 'success'].some((name) => member(json, name) !== undefined)
  );
}

/** What an answer is recognised by. */
export type AnswerFacts = Pick<ExchangeRecord, 'status' | 'json' | 'body'>;

/** What the gateway refuses with. */
const notPassed = new Set([401, 403, 410, 429]);

/**
 * Whether the gateway let a request pass: it was answered, and neither with a refusal of the gateway's nor by a proxy in the
 * way nor with an error envelope under a 200. What the endpoint made of it is not looked at, but that echo says that it succeeded; nor
 * that it says with a 403 what only it can say.
 */
export function isLetPass({ status, json, endpoint }: AnswerFacts & Pick<ExchangeRecord, 'endpoint'>): boolean {
  if (status === 403 && isOwnError(json)) return true;
  if (notPassed.has(status) || isOfWay(status)) return false;
  if (endpoint?.name === 'echo' && status !== 200) return isSuccessful({ status }) && member(json, 'success') === true;
  return member(json, 'success') !== false || status !== 200;
}

/** Whether it is an array of errors, as only endpoints give it, and their first is none of the gateway's. Section 7.3. */
function isOwnError(json: unknown): boolean {
  return Array.isArray(json) && isTellingError(json) && !isPlatformCode(String(member(json[0], 'codigo')));
}

/** Whether a body is refused for a size that nothing says a service takes: only of a document to verify it is shown. Section 8. */
export function isForItsSize(
  { status, endpoint }: Pick<ExchangeRecord, 'status' | 'endpoint'>,
  bytes: number,
): boolean {
  return status === 413 && endpoint?.name !== 'nfe-verification' && bytes > limits.otherBodyBytes;
}

/** Whether an echo is refused that has more members than its message: no other is shown to be taken. Section 4.1. */
function isForItsMembers({ status, endpoint, ...answer }: Answered, requestBody: Buffer): boolean {
  if (!isRefusedForContent(status) || endpoint?.name !== 'echo' || isPlatformCode(codeOf(answer))) return false;
  const sent = jsonIn(requestBody.toString('utf8'));
  return typeof sent === 'object' && sent !== null && Object.keys(sent).some((name) => name !== 'message');
}

/** An answer, and which path it is from. */
type Answered = AnswerFacts & Pick<ExchangeRecord, 'endpoint' | 'retired'>;

/** A request as it went out. */
interface SentAs {
  readonly target: string;
  readonly requestBody: Buffer;
  /** Whether its body was sent in a way of its own: in chunks, or once it was asked for. */
  readonly hasTransfer: boolean;
  /** What it says that its body is. */
  readonly contentType: string;
}

/**
 * Whether a body is turned away for a type that is not shown to be taken, by what stands before the service, or for a charset behind JSON:
 * a service that says so in words of its own has read the request.
 */
function isForItsType({ status, json }: Answered, contentType: string): boolean {
  const isOwnWord = member(json, 'code') !== undefined && member(json, 'statusCode') === undefined;
  const isCharset = /^application\/json *;/i.test(contentType);
  return status === 415 && !isShownType(contentType) && (isCharset || !isOwnWord);
}

/** Whether bodies of a type are shown to be taken: JSON, a document, or parts. No charset is shown, nor that none need be named. Section 4. */
export function isShownType(contentType: string): boolean {
  return /^(?:application\/json|(?:application|text)\/xml|multipart\/form-data;.*)$/i.test(contentType.trim());
}

/**
 * Whether a request was turned away for what no rule of the gateway speaks of: its body is of a size or type, sent in a way, or with a
 * member, that is not shown to be taken, or a standard path leads nowhere with a query behind it, which has a clause of its own. Sections 5.2 and 8.
 */
export function isUnread(answer: Answered, { target, requestBody, hasTransfer, contentType }: SentAs): boolean {
  return (
    isForItsSize(answer, requestBody.length) ||
    isForItsMembers(answer, requestBody) ||
    (hasTransfer && ofTransfers.has(answer.status)) ||
    isForItsType(answer, contentType) ||
    isPerhapsForItsQuery(answer, target)
  );
}

/** Whether a standard path may lead nowhere for the query behind it: what is not found is not surely told by an endpoint. */
export function isPerhapsForItsQuery(answer: Answered, target: string): boolean {
  const isNotFound = answer.status === 404 && !isPlatformCode(codeOf(answer)) && !isServed(answer);
  return isNotFound && answer.endpoint !== undefined && target.includes('?');
}

/** Statuses by which a server wants the length of a body, does not ask for it, or does not know how it comes. */
const ofTransfers: ReadonlySet<number> = new Set([411, 417, 501]);

/**
 * Whether an answer surely is an endpoint's own: a success, or an error that only an endpoint knows. Of a retired path it is that
 * it is retired.
 */
export function isServed(record: Answered): boolean {
  const { status, json, body, endpoint, retired } = record;
  const code = codeOf(record);
  if (retired && status === 410) return code === '10009034';
  if (!endpoint && !retired) return false;
  if (isSuccessful(record)) return (json !== undefined || body.length === 0) && !isTellingError(json);
  if (status !== 400 && status !== 404) return false;
  const isOfFamily = endpoint?.errors === 'codigo-mensagem-array' && Array.isArray(json);
  return isOfFamily ? isTellingError(json) : /^10015\d{3}$/.test(code);
}

/**
 * Whether an answer is a refusal with that code. The code may be a number or a text here and the rest of the envelope is
 * not looked at: those have clauses of their own, and one defect is to fail one clause.
 */
export function isRefusal(answer: Pick<AnswerFacts, 'status' | 'json'>, refusal: PlatformCode): boolean {
  return answer.status === refusal.status && codeOf(answer) === String(refusal.code);
}

/** Whether an answer is a page for people, which is seldom a service's own. */
export function isPage({ body }: Pick<AnswerFacts, 'body'>): boolean {
  return isPageText(body.toString('utf8', 0, pageStartBytes));
}

/** What the body of an answer is that is no JSON. */
export function notJson(answer: Pick<AnswerFacts, 'body'>): string {
  if (answer.body.length === 0) return 'an empty body';
  if (isPage(answer)) return 'an HTML page';
  // JSON is in UTF-8, whatever its charset says: so the encoding is what is wrong. RFC 8259, 8.1.
  return isUtf8(answer.body) ? 'a body that is no JSON' : 'a body that is no UTF-8';
}

/** What the body of an answer is, where a bare object is due. Section 4.1. */
export function bodyForm({ json, body }: Pick<AnswerFacts, 'json' | 'body'>): string {
  if (json === undefined) return notJson({ body });
  if (isEnveloped(json)) return 'a platform envelope';
  return isObject(json) ? 'an object' : 'no object';
}

/** The status of an answer, and whether a page came with it: "200, an HTML page". */
export function statusText(answer: Pick<AnswerFacts, 'status' | 'body'>): string {
  return isPage(answer) ? `${answer.status}, an HTML page` : String(answer.status);
}

/** What an answer came to, in a few words: "401, code 10009003". */
export function summaryOf({ status, json, body }: AnswerFacts): string {
  const code = member(json, 'code');
  if (code !== undefined) return `${status}, code ${jsonText(code)}`;
  const codigo = Array.isArray(json) ? member(json[0], 'codigo') : undefined;
  if (codigo !== undefined) return `${status}, codigo ${jsonText(codigo)}`;
  return `${status}, ${json === undefined ? notJson({ body }) : 'no code'}`;
}

/** What a refusal with that code reads like. */
export function refusalText(refusal: PlatformCode): string {
  return `${refusal.status}, code ${refusal.code} (${refusal.meaning})`;
}

/** The code of an answer as a text, whether it came as a number or as one; empty where there is none. */
export function codeOf({ json }: Pick<AnswerFacts, 'json'>): string {
  const code = member(json, 'code');
  return typeof code === 'number' || typeof code === 'string' ? String(code) : '';
}

/** Whether that is a code of the platform: what stands before the service has others. Section 7.2. */
export function isPlatformCode(code: string): boolean {
  return /^10009\d{3}$/.test(code);
}

/** The segments of a path from `/openapi` on. */
export function segmentsOf({ target }: ExchangeRecord): readonly string[] {
  return target.split('?', 1).join('').split('/').slice(1);
}

const ofFront: ReadonlySet<number> = new Set([406, 408, 411, 413, 414, 415, 417, 421, 425, 426, 431]);

/** Whether what stands before a service refuses by that status what a request is like, whatever it asks. */
export function isOfFront(status: number): boolean {
  return ofFront.has(status);
}

/** Whether a status is an endpoint's refusal of what it was asked: none of the gateway's, and none of what stands before it. */
export function isRefusedForContent(status: number): boolean {
  return status >= 400 && status < 500 && !notPassed.has(status) && !isOfFront(status);
}

/**
 * Whether something else was under way, locked, or out of order as it was refused so: the same may be taken at another moment. RFC 4918,
 * section 11; RFC 9110, section 15.5.10.
 */
export function isOfMoment(status: number): boolean {
  return status === 409 || status === 423 || status === 424;
}

/** Whether its characters, taken for bytes, are a text in UTF-8: it was encoded twice, and "não" stands there as "nÃ£o". */
export function isEncodedTwice(text: string): boolean {
  return !/[^\0-\u00ff]/.test(text) && /[^\0-\x7f]/.test(text) && isUtf8(Buffer.from(text, 'latin1'));
}
