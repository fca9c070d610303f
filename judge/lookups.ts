import { chaveIn, isOfWay } from '../contract/values.ts';
import type { ExchangeRecord } from '../trace/records.ts';
import { codeMessage, bareObject } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import {
  withoutQuery,
  isAcceptedBy,
  isFor,
  summaryOf,
  codeOf,
  isRefusedBy,
  segmentsOf,
  bodyForm,
  statusText,
} from './answers.ts';
import { bare, codeAndMessage, verdict, malformed, unknown } from './endpoints.ts';
import { isSurelyRight } from './flaws.ts';
import { before, isCall, isJustBefore } from './history.ts';
import { judged, type ExchangePredicate, type HistoryPredicate, ofHistory, predicate } from './predicate.ts';
import type { EndpointName } from '../contract/endpoints.ts';
import { member } from '../schemas/values.ts';

const faultsOfCodeMessage = validator(codeMessage);

/** Above this a body is to be refused; between a million bytes and this it may be. Section 4.1. */
const largestBytes = 1_048_576;

/** That such a document is refused with 400. */
function refusedWith400(
  clause: ExchangePredicate['clause'],
  isOne: (record: ExchangeRecord) => boolean,
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (record.endpoint?.name !== 'nfe-verification' || !isSentAsXml(record) || !isOne(record)) return undefined;
    if (!isAcceptedBy(record, 'nfe-verification')) return codeAndMessage(record, 'nfe-verification', [400]);
    return record.isRightlySigned ? { expected: '400', actual: statusText(record) } : undefined;
  });
}

function isSentAsXml({ requestHeaders }: ExchangeRecord): boolean {
  return /xml/i.test(requestHeaders.get('content-type') ?? '') && !requestHeaders.has('content-encoding');
}

/** Whether a document names the chave of an NF-e: of what is no invoice there need not be a verdict. */
function isInvoice({ requestBody }: ExchangeRecord): boolean {
  return /\sId\s?=\s?["']NFe\d{44}["']/.test(requestBody.toString('latin1'));
}

/** That an endpoint which fails for itself says so as it is to: 502, 503 and 504 may be of somebody in the way. Section 7.3. */
const systemError: ExchangePredicate = predicate('nfe-verification.system-error', (record) => {
  const name = (['nfe-verification', 'chave-lookup'] as const).find((each) => isFor(record, each));
  const isError = record.status >= 500 && !isOfWay(record.status);
  if (!name || !isError || !record.isRightlySigned) return undefined;
  const faults = faultsOfCodeMessage(record.json);
  return judged(record.status === 500 && faults.length === 0, () => ({
    expected: '500, an object with code and message',
    actual: `${summaryOf(record)}${faults.length === 0 ? '' : `: ${faults.join('; ')}`}`,
  }));
});

/** Answers to a verification. Sections 4.1, 4.2 and 7.3. */
export const nfeVerification: readonly ExchangePredicate[] = [
  bare('nfe-verification.bare', 'nfe-verification'),
  verdict('nfe-verification.validation-status', 'nfe-verification', (record) => !isInvoice(record), chavesOfDocument),
  refusedWith400('nfe-verification.empty-body', ({ requestBody }) => requestBody.length === 0),
  refusedWith400('nfe-verification.too-large', ({ requestBody }) => requestBody.length > largestBytes),
  predicate('nfe-verification.without-chave', (record) => {
    const { length } = record.requestBody;
    if (length === 0 || length > largestBytes || !isSentAsXml(record) || isInvoice(record)) return undefined;
    return codeAndMessage(record, 'nfe-verification', [400, 404, 422]);
  }),
  systemError,
];

const faultsOfBareObject = validator(bareObject);

/** Whether the variables of a path are numbers of so many digits. */
function hasDigits(...counts: readonly number[]): (record: ExchangeRecord) => boolean {
  return (record) => {
    const values = segmentsOf(record).slice(-counts.length);
    return counts.every((count, at) => values[at]?.length === count && /^\d+$/.test(values[at] ?? ''));
  };
}

/** Whether one of them is too short or too long, and no number that is only written otherwise. */
function hasWrongLength(...counts: readonly number[]): (record: ExchangeRecord) => boolean {
  return (record) => {
    const values = segmentsOf(record).slice(-counts.length);
    const isAllDigits = values.every((value) => /^\d+$/.test(value));
    return isAllDigits && counts.some((count, at) => values[at]?.length !== count);
  };
}

/** That what was found is a bare object, of the number that was asked for. Nothing at all may be how an unknown number is told of, which is another clause. */
function foundBare(
  clause: ExchangePredicate['clause'],
  name: EndpointName,
  variable: 'cnpj' | 'cpf',
): ExchangePredicate {
  return predicate(clause, (record) => {
    const { status, json } = record;
    const plain = withoutQuery(record);
    if (status !== 200 || !isAcceptedBy(plain, name) || isNothing(json)) return undefined;
    const told = member(json, variable);
    const asked = plain.target.split('/')[5];
    const isOther = typeof told === 'string' && /^\d+$/.test(told) && told.length === asked?.length && told !== asked;
    // A branch may be told of by its head office, which has the same root.
    if (isOther && !(variable === 'cnpj' && told.slice(0, rootOfCnpj) === asked.slice(0, rootOfCnpj)))
      return { expected: `the ${variable} that was asked for`, actual: 'another one' };
    return judged(faultsOfBareObject(json).length === 0, () => ({
      expected: 'a bare object that tells of it',
      actual: bodyForm(record),
    }));
  });
}

/** Digits of a CNPJ that all branches of one company share. */
const rootOfCnpj = 8;

/**
 * The chaves that a document names, where it says plainly which one is its own: digits may be written as references, and then those that
 * stand there as they are may all be of others.
 */
function chavesOfDocument({ requestBody }: ExchangeRecord): readonly string[] {
  const text = requestBody.toString('latin1');
  const isPlainlyNamed = !text.includes('&#') && chaveIn(text) !== undefined;
  return isPlainlyNamed ? (text.match(/\d{44}/g) ?? []) : [];
}

function isNothing(json: unknown): boolean {
  if (json === undefined || json === null) return true;
  return typeof json === 'object' && Object.keys(json).length === 0;
}

/** Whether something was found: that the authority was not reached says of nothing that it is there. Section 2.4. */
function isFound(json: unknown): boolean {
  return !isNothing(json) && member(json, 'validation', 'validationStatus') !== 'VALIDATION_ERROR';
}

/** Whether a lookup finds nothing, or tells of an error of the system as one is told; other errors have clauses of their own. */
function findsNothing({ status, json, endpoint }: ExchangeRecord): boolean {
  if (status === 500) return endpoint?.name === 'chave-lookup' && faultsOfCodeMessage(json).length === 0;
  return status === 400 || status === 404;
}

/** That what one application has just found is found again, where nothing was changed or verified since. */
function foundAgain(clause: HistoryPredicate['clause'], name: EndpointName): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    if (!isCall(latest, name) || !findsNothing(latest) || !isSurelyRight(latest)) return undefined;
    const found = before(latest, earlier).findLast(
      (one): one is ExchangeRecord =>
        isCall(one, name) && one.target === latest.target && isAcceptedBy(one, name) && isFound(one.json),
    );
    if (!found || !isJustBefore(found, latest, earlier)) return undefined;
    if (earlier.slice(earlier.indexOf(found)).some((record) => isCall(record, 'nfe-verification'))) return undefined;
    return { expected: 'what the same request has just found', actual: summaryOf(latest), beside: [found] };
  });
}

/** What lookups of one thing tell, one after the other. */
export const lookupsAgain: readonly HistoryPredicate[] = [
  foundAgain('chave-lookup.shape-of-verification', 'chave-lookup'),
  foundAgain('cnpj-lookup.bare-object', 'cnpj-lookup'),
  foundAgain('cpf-lookup.bare-object', 'cpf-lookup'),
];

/** Answers to a lookup of a chave. Sections 4.1, 4.2 and 7.3. */
export const chaveLookup: readonly ExchangePredicate[] = [
  bare('chave-lookup.bare', 'chave-lookup'),
  verdict(
    'chave-lookup.shape-of-verification',
    'chave-lookup',
    (record) => !hasDigits(44)(record),
    (record) =>
      segmentsOf(record)
        .slice(-1)
        .filter((segment) => /^\d{44}$/.test(segment)),
  ),
  unknown('chave-lookup.unknown', 'chave-lookup', hasDigits(44)),
  predicate('chave-lookup.unknown-code', (record) => {
    if (!hasDigits(44)(record) || !isRefusedBy(record, 'chave-lookup', [404]) || codeOf(record) === '') {
      return undefined;
    }
    return judged(codeOf(record) === '10015004', () => ({ expected: '10015004', actual: codeOf(record) }));
  }),
  malformed('chave-lookup.malformed', 'chave-lookup', hasWrongLength(44)),
];

/** Answers to a lookup of a CNPJ. */
export const cnpjLookup: readonly ExchangePredicate[] = [
  foundBare('cnpj-lookup.bare-object', 'cnpj-lookup', 'cnpj'),
  unknown('cnpj-lookup.unknown', 'cnpj-lookup', hasDigits(14)),
  malformed('cnpj-lookup.malformed', 'cnpj-lookup', hasWrongLength(14)),
];

/** Answers to a lookup of a CPF. */
export const cpfLookup: readonly ExchangePredicate[] = [
  foundBare('cpf-lookup.bare-object', 'cpf-lookup', 'cpf'),
  unknown('cpf-lookup.unknown', 'cpf-lookup', hasDigits(11, 8)),
  malformed('cpf-lookup.malformed', 'cpf-lookup', hasWrongLength(11, 8)),
];
