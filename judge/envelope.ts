import { member, isObject } from '../schemas/values.ts';
import { isFor, isTellingError, codeOf, isPlain, isEncodedTwice, notJson, summaryOf, isOfFront } from './answers.ts';
import {
  judged,
  shown,
  type ExchangePredicate,
  type Judgement,
  type DeliveryPredicate,
  predicate,
} from './predicate.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { codes, type PlatformCode, isOfWay } from '../contract/values.ts';
import { codeMessage, errorArray, errorEnvelope, limitEnvelope } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import { put } from './aim.ts';
import { isRightAsPassed, isSurelyRight } from './flaws.ts';
import { broughtBy } from './delivery.ts';

/** Judges one field of the platform envelope of a 401 that has one. */
function ofRefusal(
  clause: ExchangePredicate['clause'],
  field: string,
  expected: string,
  fits: (value: unknown, record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (record.status !== 401 || !isEnvelope(record)) return undefined;
    const value = member(record.json, field);
    return judged(fits(value, record), () => ({ expected, actual: `${field} is ${shown(value)}` }));
  });
}

/** Whether it is a name under which a text is kept, as stands in its place where a language has none: `errors.token.unknown`. */
function isKeyOfText(text: string): boolean {
  return /^[\w.:-]+$/.test(text) && /[A-Za-z\d-][._:][A-Za-z\d-]/.test(text);
}

/** Whether people can read a text: it has letters, and none that was lost on the way, as of Latin-1 that calls itself JSON. */
function isReadable(text: unknown, { headers }: ExchangeRecord): boolean {
  if (typeof text !== 'string' || !/\p{L}/u.test(text) || isKeyOfText(text) || isEncodedTwice(text)) return false;
  return !text.includes('\uFFFD') || /charset=(?!"?utf-?8)/i.test(headers.get('content-type') ?? '');
}

/** An object with one of the envelope's own fields: whatever else is wrong with it has clauses of its own. */
function isEnvelope({ json }: ExchangeRecord): boolean {
  return ['success', 'errorType', 'code', 'message'].some((name) => member(json, name) !== undefined);
}

/** Platform envelopes. Sections 2.6 and 7.1. */
export const envelope: readonly ExchangePredicate[] = [
  predicate('envelope.on-every-401', (record) => {
    // Of a path of no endpoint, whatever stands before the service may answer.
    if (record.status !== 401 || !(record.endpoint ?? record.retired)) return undefined;
    return judged(isEnvelope(record), () => ({
      expected: 'a platform envelope',
      actual: record.json === undefined ? notJson(record) : shown(record.json),
    }));
  }),
  ofRefusal('envelope.success-false-on-errors', 'success', 'success is false', (value) => value === false),
  ofRefusal('envelope.error-type', 'errorType', 'errorType is 1', (value) => value === 1),
  ofRefusal('envelope.code-integer', 'code', 'code is an integer', Number.isInteger),
  ofRefusal('envelope.message-text', 'message', 'message is a text for people', isReadable),
  predicate('envelope.data-on-success', (record) => {
    if (!isFor(record, 'echo') || record.status !== 200 || !isObject(record.json)) return undefined;
    if (isTellingError(record.json)) return undefined;
    const data = member(record.json, 'data');
    return judged(isObject(data), () => ({ expected: 'data is an object', actual: `data is ${shown(data)}` }));
  }),
];

const faultsOfError = validator(errorEnvelope);
const faultsOfLimit = validator(limitEnvelope);

/** Judges the envelope of some refusals. */
function envelopeOf(
  clause: ExchangePredicate['clause'],
  faultsOf: (json: unknown) => readonly string[],
  isOne: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isOne(record)) return undefined;
    const shape = faultsOf(record.json);
    const isLost = shape.length === 0 && !isReadable(member(record.json, 'message'), record);
    const faults = isLost ? ['message is no text for people'] : shape;
    return judged(faults.length === 0, () => ({
      expected: 'a platform envelope',
      actual: record.json === undefined ? notJson(record) : faults.join('; '),
    }));
  });
}

/**
 * Whether it is a refusal with that status, of a request that is right or with one of the codes that have it: of another request,
 * whatever stands before the service may have thought ill. Reading 47.
 */
function isRefusal(record: ExchangeRecord, status: number): boolean {
  const known: readonly PlatformCode[] = Object.values(codes);
  if (record.status !== status || !(record.endpoint ?? record.retired)) return false;
  return (
    isSurelyRight(record) ||
    known.some((refusal) => refusal.status === status && String(refusal.code) === codeOf(record))
  );
}

/** Statuses of issuance and query: their refusals, and the gateway's. Sections 7.1 and 7.3. */
const ofInvoices: ReadonlySet<number> = new Set([400, 401, 403, 404, 410, 429]);

/** Whether a body is an error as its endpoint tells it, and nothing else: its code names one. Section 7.3. */
function isErrorOf({ endpoint, json }: ExchangeRecord): boolean {
  const isOfArray = endpoint?.errors === 'codigo-mensagem-array';
  const code = String(isOfArray ? member(json, '0', 'codigo') : member(json, 'code'));
  if (/^(?:0*|200|ok|success|sucesso)$/i.test(code)) return false;
  if (isOfArray) return faultsOfArray(json).length === 0;
  const isAlone = typeof json === 'object' && json !== null && Object.keys(json).every((name) => ofErrors.has(name));
  return isAlone && member(json, 'success') !== true && faultsOfCodeMessage(json).length === 0;
}

const faultsOfArray = validator(errorArray);
const faultsOfCodeMessage = validator(codeMessage);
const ofErrors: ReadonlySet<string> = new Set(['success', 'errorType', 'code', 'message']);

/** Whether no parts can be told in a multipart body: what reads it may say 500, as many a framework does by itself. */
function isWithoutBoundary({ requestHeaders }: ExchangeRecord): boolean {
  const type = requestHeaders.get('content-type') ?? '';
  return type.startsWith('multipart/') && !type.includes('boundary=');
}

/** Whether a request that is right comes to something that its endpoint may answer; of a gateway in the way nobody knows. */
function hasOwnStatus(record: ExchangeRecord): Judgement {
  const { status, endpoint } = record;
  if (!endpoint || status < 200 || isOfWay(status) || isOfFront(status) || isWithoutBoundary(record)) return undefined;
  const isOfInvoice = endpoint.name === 'nfe-issuance' || endpoint.name === 'nfe-query';
  const isVerification = isFor(record, 'nfe-verification') || isFor(record, 'chave-lookup');
  const isErrorAsSuccess = status < 300 && isErrorOf(record);
  const isOwn =
    (status < 300 && !isErrorAsSuccess) ||
    (status >= 400 && status < 500 && (!isOfInvoice || ofInvoices.has(status))) ||
    (status === 500 && isVerification);
  if ((isOwn && status >= 300) || !isRightAsPassed(record)) return undefined;
  const due = isOfInvoice ? '200, 400 or 404' : '200 or 4xx';
  return judged(isOwn, () => ({
    expected: isErrorAsSuccess ? 'no success, as it tells of an error' : due,
    actual: summaryOf(record),
  }));
}

/** The envelopes of refusals other than 401, the statuses of all, and that no session stands in for a signature. Sections 5 and 7.1. */
export const errors: readonly ExchangePredicate[] = [
  envelopeOf('errors.envelope-of-403', faultsOfError, (record) => isRefusal(record, 403)),
  // Whoever answers so on a retired path knows that it is one. Which code it has is another clause.
  envelopeOf(
    'errors.envelope-of-410',
    faultsOfError,
    (record) => record.status === 410 && record.retired !== undefined && isPlain(record.target),
  ),
  envelopeOf('errors.envelope-of-429', faultsOfLimit, (record) => isRefusal(record, 429)),
  predicate('errors.own-statuses', hasOwnStatus),
  put('errors.no-session'),
];

interface Coded {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** Judges the encoding of a body that nobody has asked to be encoded; what is in it is judged as if it were not. Reading 44. */
function asItIs({ headers, body }: Coded): Judgement {
  if (body.length === 0) return undefined;
  const encoding = headers.get('content-encoding') ?? '';
  return judged(/^(?:\s|,|identity)*$/i.test(encoding), () => ({
    expected: 'a body as it is, without an encoding',
    actual: `Content-Encoding: ${shown(encoding)}`,
    hint: 'nobody asked for an encoding',
  }));
}

/** How answers are encoded. Section 4.1. */
export const encoding: readonly ExchangePredicate[] = [
  predicate('encoding.of-answers', (record) =>
    record.requestHeaders.has('accept-encoding') ? undefined : asItIs(record),
  ),
];

/** How deliveries are encoded. Section 6.1. */
export const encodingOfDeliveries: readonly DeliveryPredicate[] = [
  predicate('encoding.of-deliveries', (record) => (broughtBy(record) === undefined ? undefined : asItIs(record))),
];
