import type { ClauseId } from '../contract/catalogue.ts';
import { nfeStates, type NfeOutcome } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import {
  authorisedResult,
  deniedResult,
  nfeResultFields,
  withoutDigest,
  type NfeResultField,
} from '../schemas/invoice.ts';
import { fieldsOf } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import { broughtBy, callbackIn, encodedOnce, statedOutcome } from './delivery.ts';
import { judged, shown, type DeliveryPredicate, predicate } from './predicate.ts';
import type { DeliveryRecord } from '../trace/records.ts';

type Id = Extract<ClauseId, `issuance-callback.${string}`>;

/**
 * Judges fields of the callbacks of one outcome, or of both, where they hold texts: one that is missing or null has a clause
 * of its own, and so has one that is no text.
 */
function ofFields(
  clause: Id,
  outcome: NfeOutcome | 'any',
  fields: readonly NfeResultField[],
  faultsOf: (value: unknown) => readonly string[],
): DeliveryPredicate {
  return predicate(clause, (record) => {
    const callback = callbackIn(record);
    const stated = callback && statedOutcome(callback);
    if (stated === undefined || (outcome !== 'any' && stated !== outcome)) return undefined;
    const texts = fields.filter((name) => typeof member(callback, name) === 'string');
    if (texts.length === 0) return undefined;
    const faults = faultsOf(Object.fromEntries(texts.map((name) => [name, member(callback, name)])));
    return judged(faults.length === 0, () => ({ expected: expectedOf(stated, fields), actual: faults.join('; ') }));
  });
}

function expectedOf(outcome: NfeOutcome, fields: readonly NfeResultField[]): string {
  const names = fields.length > 3 ? 'the fields of a denial' : fields.join(' and ');
  return `${names} as a callback of an invoice that is ${outcome} has it`;
}

const ofAuthorised = (clause: Id, ...fields: readonly NfeResultField[]): DeliveryPredicate =>
  ofFields(clause, 'Autorizada', fields, validator(fieldsOf(authorisedResult, ...fields)));

const ofDenied = (clause: Id, ...fields: readonly NfeResultField[]): DeliveryPredicate =>
  ofFields(clause, 'Negada', fields, validator(fieldsOf(deniedResult, ...fields)));

/** Judges that all fields are there with a value, in the callback of one outcome. */
function presence(clause: Id, outcome: NfeOutcome): DeliveryPredicate {
  return predicate(clause, (record) => {
    const callback = callbackIn(record);
    if (!callback || outcomeOf(callback) !== outcome) return undefined;
    const absent = nfeResultFields.filter((name) => (member(callback, name) ?? undefined) === undefined);
    return judged(absent.length === 0, () => ({
      expected: 'all fourteen fields, empty texts for what has no value',
      actual: absent.map((name) => `${name} is ${shown(member(callback, name))}`).join('; '),
    }));
  });
}

/** Judges the word for the outcome, where another one stands in a callback that has what only that outcome has. */
function word(clause: Id, outcome: NfeOutcome): DeliveryPredicate {
  return predicate(clause, (record) => {
    const callback = callbackIn(record);
    const status = member(callback, 'nfeStatus');
    if (!callback || typeof status !== 'string') return undefined;
    if (outcomeOf(callback) !== outcome) return undefined;
    return judged(status === outcome, () => ({
      expected: `nfeStatus is "${outcome}"`,
      actual: `nfeStatus is ${shown(status)}`,
    }));
  });
}

/**
 * How the invoice ended: by the word for it, or, where that is missing or nobody's, by what only the one outcome has. Another
 * state of an invoice is no outcome: that such a callback comes at all is another clause's.
 */
function outcomeOf(callback: object): NfeOutcome | undefined {
  const status = member(callback, 'nfeStatus');
  if (nfeStates.some((state) => state === status)) return statedOutcome(callback);
  const isFilled = (name: NfeResultField): boolean => (member(callback, name) ?? '') !== '';
  const isAuthorised = isFilled('nfeLinkXml') || isFilled('nfeNumeroProtocolo') || isFilled('nfeDataAutorizacao');
  if (isAuthorised === isFilled('nfeMotivoStatus')) return undefined;
  return isAuthorised ? 'Autorizada' : 'Negada';
}

/** The callback that reports the outcome of an issuance. Sections 2.3 and 6.1. */
export const issuanceCallback: readonly DeliveryPredicate[] = [
  predicate('issuance-callback.bare-object', (record) => {
    const brought = broughtBy(record);
    if (brought !== 'callback' && brought !== 'wrapped callback') return undefined;
    return judged(brought === 'callback', () => ({
      expected: 'the result object itself',
      actual: Array.isArray(record.json) ? 'an array with it' : 'an object with it in data',
    }));
  }),
  presence('issuance-callback.all-fields', 'Autorizada'),
  presence('issuance-callback.all-fields-when-denied', 'Negada'),
  predicate('issuance-callback.texts', (record) => {
    const callback = callbackIn(record);
    if (!callback) return undefined;
    const others = nfeResultFields.filter((name) => typeof (member(callback, name) ?? '') !== 'string');
    return judged(others.length === 0, () => ({
      expected: 'strings only',
      actual: others.map((name) => `${name} is ${shown(member(callback, name))}`).join('; '),
    }));
  }),
  word('issuance-callback.status-authorised', 'Autorizada'),
  word('issuance-callback.status-denied', 'Negada'),
  ofFields('issuance-callback.empresa-id', 'any', ['empresaId'], validator(fieldsOf(authorisedResult, 'empresaId'))),
  ofAuthorised('issuance-callback.tipo', 'tipo'),
  ofDenied('issuance-callback.motivo-of-denial', 'nfeMotivoStatus'),
  encodedOnce('issuance-callback.motivo-of-denial', callbackIn, 'nfeMotivoStatus'),
  ofAuthorised('issuance-callback.no-motivo-when-authorised', 'nfeMotivoStatus'),
  ofAuthorised('issuance-callback.no-danfe-link', 'nfeLinkDanfe'),
  ofAuthorised('issuance-callback.xml-link', 'nfeLinkXml'),
  ofDenied('issuance-callback.no-xml-link-when-denied', 'nfeLinkXml'),
  ofAuthorised('issuance-callback.numero-and-serie', 'nfeNumero', 'nfeSerie'),
  ofAuthorised('issuance-callback.chave', 'nfeChaveAcesso'),
  ofAuthorised('issuance-callback.data-emissao', 'nfeDataEmissao'),
  ofAuthorised('issuance-callback.data-autorizacao', 'nfeDataAutorizacao'),
  ofDenied('issuance-callback.no-data-autorizacao-when-denied', 'nfeDataAutorizacao'),
  ofAuthorised('issuance-callback.protocolo', 'nfeNumeroProtocolo'),
  ofDenied('issuance-callback.no-protocolo-when-denied', 'nfeNumeroProtocolo'),
  ofDenied('issuance-callback.fields-of-denial', 'tipo', 'nfeLinkDanfe', 'nfeChaveAcesso', 'nfeDataEmissao'),
  ofFields('issuance-callback.no-digest', 'any', ['nfeDigestValue'], validator(withoutDigest)),
  predicate('issuance-callback.token', (record) => {
    if (broughtBy(record) !== 'callback') return undefined;
    const token = record.headers.get('token');
    // Where it is not known which one was registered: an empty one is registered by nobody.
    const { hasToken = token !== undefined && token.trim() !== '' } = record;
    return judged(hasToken, () => ({
      expected: 'the header token with the registered token',
      actual: tokenText(token, record),
    }));
  }),
  predicate('issuance-callback.none-on-cancellation', (record) => {
    const callback = callbackIn(record);
    if (!callback) return undefined;
    return judged(member(callback, 'nfeStatus') !== 'Cancelada', () => ({
      expected: 'a callback of an authorisation or a denial alone',
      actual: 'nfeStatus is "Cancelada"',
    }));
  }),
];

/** What came in place of the registered token, and that it came where verdicts go. */
function tokenText(token: string | undefined, { address, tokenHint = 'another token' }: DeliveryRecord): string {
  if (token !== undefined) return token.trim() === '' ? 'an empty one' : tokenHint;
  return address?.channel === 'verification'
    ? 'an issuance result at an address for verdicts, without a token header'
    : 'no token header';
}
