import type { EndpointName } from '../contract/endpoints.ts';
import {
  withoutQuery,
  isAcceptedBy,
  isEnveloped,
  isFor,
  isRefusedBy,
  contentOf,
  notJson,
  statusText,
  summaryOf,
} from './answers.ts';
import { isRightAsPassed } from './flaws.ts';
import { judged, type ExchangePredicate, type Judgement, predicate } from './predicate.ts';
import { codeMessage, errorArray, verification } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { verdictStates } from '../contract/values.ts';
import { member, readJson } from '../schemas/values.ts';
import { isUtf8 } from 'node:buffer';

/** That an accepted request gets 200 and no other status of success. */
export function status200(clause: ExchangePredicate['clause'], name: EndpointName): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isAcceptedBy(record, name)) return undefined;
    return judged(record.status === 200, () => ({ expected: '200', actual: statusText(record) }));
  });
}

/** That no platform envelope is around the answer to an accepted request. Section 4.2. */
export function bare(clause: ExchangePredicate['clause'], name: EndpointName): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isAcceptedBy(withoutQuery(record), name)) return undefined;
    return judged(!isEnveloped(record.json), () => ({
      expected: 'a bare response, without success, code and data around it',
      actual: 'a platform envelope',
    }));
  });
}

/** That the answer to an accepted request is zero bytes long. Section 4.2. */
export function empty(clause: ExchangePredicate['clause'], name: EndpointName): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isAcceptedBy(record, name)) return undefined;
    const bytes = record.body.length;
    return judged(bytes === 0, () => ({ expected: 'zero bytes', actual: `${bytes} bytes` }));
  });
}

/**
 * Whether an endpoint refused a request with one of these statuses: in words of the service, or in any of a request that nothing is
 * wrong with, since a whole answer is the target's. Reading 47.
 */
export function isTurnedDown(record: ExchangeRecord, name: EndpointName, statuses: readonly number[]): boolean {
  const isOfAnyWords = isFor(record, name) && statuses.includes(record.status) && isRightAsPassed(record);
  return isOfAnyWords || isRefusedBy(record, name, statuses);
}

const faultsOfArray = validator(errorArray);
const faultsOfCodeMessage = validator(codeMessage);

/** Judges how issuance, query or cancellation refused with one of these statuses: by an array. Section 7.3. */
export function refusedWithArray(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  statuses: readonly number[],
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isTurnedDown(record, name, statuses)) return undefined;
    const faults = faultsOfArray(record.json);
    return judged(faults.length === 0, () => ({
      expected: 'an array of objects with codigo and mensagem',
      actual: record.json === undefined ? summaryOf(record) : faults.join('; '),
    }));
  });
}

/** Judges how a verification or a lookup refused with one of these statuses: by a code and a message. Section 7.3. */
export function codeAndMessage(record: ExchangeRecord, name: EndpointName, statuses: readonly number[]): Judgement {
  if (!isTurnedDown(record, name, statuses)) return undefined;
  const faults = faultsOfCodeMessage(record.json);
  return judged(faults.length === 0, () => ({
    expected: 'an object with code and message, no platform envelope',
    actual: record.json === undefined ? summaryOf(record) : faults.join('; '),
  }));
}

/** That a lookup of what is not known, where it says so, says it by a code and a message. */
export function unknown(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  isWellFormed: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return predicate(clause, (record) => (isWellFormed(record) ? codeAndMessage(record, name, [400, 404]) : undefined));
}

/** That a lookup of what certainly is no number of that kind is not accepted, and refused by a code and a message. */
export function malformed(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  isMalformed: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (record.endpoint?.name !== name || !isMalformed(record)) return undefined;
    if (!isAcceptedBy(record, name)) return codeAndMessage(record, name, [400, 404, 422]);
    return { expected: '4xx', actual: statusText(record) };
  });
}

const faultsOf = validator(verification);

/**
 * That an answer has one of the three verdicts, and on what was asked for. `mayLack`: it may have none, as of what is no invoice;
 * `chavesIn`: the chaves that a request names, any of which it may be on, and none where that is not known. Sections 3.2 and 4.1.
 */
export function verdict(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  mayLack: (record: ExchangeRecord) => boolean,
  chavesIn: (record: ExchangeRecord) => readonly string[],
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (isVerdictAsError(record, name))
      return { expected: '200, as a verdict is no error', actual: statusText(record) };
    if (record.status !== 200 || !isAcceptedBy(record, name)) return undefined;
    const answer = contentOf(record.json);
    if (member(answer, 'validation', 'validationStatus') === undefined && mayLack(record)) return undefined;
    const asked = chavesIn(record);
    if (asked.length > 0 && toldChaves(answer).some((told) => !asked.includes(told)))
      return { expected: 'a verdict on the chave that was asked for', actual: 'on another one' };
    const faults = faultsOf(answer);
    return judged(faults.length === 0, () => ({
      expected: `validation.validationStatus: ${verdictStates.join(', ')}`,
      actual: answer === undefined ? notJson(record) : faults.join('; '),
    }));
  });
}

/** Whether an endpoint tells a verdict, and no error beside it, with the status of an error. Section 7.3. */
function isVerdictAsError(record: ExchangeRecord, name: EndpointName): boolean {
  const { status, json } = record;
  if (!isFor(record, name) || status < 400 || faultsOfCodeMessage(json).length === 0) return false;
  return verdictStates.some((state) => state === member(json, 'validation', 'validationStatus'));
}

/** The chaves that a verdict names as its own: the contract shows none, but many services tell it. */
function toldChaves(answer: unknown): readonly string[] {
  const named = [answer, member(answer, 'validation')].flatMap((of) => [
    member(of, 'chaveAcesso'),
    member(of, 'chave'),
  ]);
  return named.filter((told): told is string => typeof told === 'string' && /^\d{44}$/.test(told));
}

/** What requests have been read as: many clauses ask for the same one. */
const known = new WeakMap<ExchangeRecord, { readonly value: unknown }>();

/** The JSON value of a request that everybody reads alike: JSON by its media type, in UTF-8, not packed; `undefined` for none. */
export function sentJson(record: ExchangeRecord): unknown {
  const read = known.get(record) ?? { value: jsonSentIn(record) };
  known.set(record, read);
  return read.value;
}

function jsonSentIn({ requestHeaders, requestBody }: ExchangeRecord): unknown {
  if (!/^application\/json(?:; *charset=utf-8)?$/i.test(requestHeaders.get('content-type') ?? '')) return undefined;
  if (requestHeaders.has('content-encoding') || !isUtf8(requestBody)) return undefined;
  return readJson(requestBody.toString('utf8'));
}

/** Whether a request that is a JSON object has one member, written once: of a name that stands there twice readers take either. */
export function hasOneMember({ requestBody }: ExchangeRecord): boolean {
  const text = requestBody.toString('utf8');
  let [isInText, colons] = [false, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInText && code === backslash) at += 1;
    else if (code === quote) isInText = !isInText;
    else if (!isInText && code === colon) colons += 1;
  }
  return colons === 1;
}

const [quote, colon, backslash] = [0x22, 0x3a, 0x5c];
