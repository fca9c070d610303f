import { invoice as invoiceSchema, unauthorisedInvoice } from '../schemas/invoice.ts';
import { ambientes, fieldsOf } from '../schemas/messages.ts';
import { fits } from '../schemas/validate.ts';
import { member, isObject } from '../schemas/values.ts';
import {
  isAcceptedBy,
  isFor,
  isWronglyRefused,
  contentOf,
  bodyForm,
  isEnveloped,
  isRefusedBy,
  statusText,
} from './answers.ts';
import { empty, status200, refusedWithArray, sentJson } from './endpoints.ts';
import { type ExchangePredicate, judged, shown, type Judgement, predicate } from './predicate.ts';
import { nfeStates, type NfeState, isHttpUrl, xmlLinkIn } from '../contract/values.ts';

/** That an issuance with such a body is not accepted. */
function refused(
  clause: ExchangePredicate['clause'],
  isFaulty: (json: unknown) => boolean,
  what: string,
): ExchangePredicate {
  return predicate(clause, (record) => {
    if (!isFor(record, 'nfe-issuance')) return undefined;
    const json = sentJson(record);
    if (json === undefined || !isFaulty(json)) return undefined;
    const isWrong = record.isRightlySigned && isWronglyRefused(record, 'nfe-issuance');
    if (isAcceptedBy(record, 'nfe-issuance') || isWrong) {
      return { expected: `400 or 404 for ${what}`, actual: statusText(record) };
    }
    return record.isRightlySigned && [400, 404].includes(record.status) ? 'holds' : undefined;
  });
}

/** Whether an object has no id by any reading of its names. */
function hasNoId(json: unknown): boolean {
  return typeof json === 'object' && json !== null && Object.keys(json).every((name) => name.toLowerCase() !== 'id');
}

/** Whether it is there and names neither environment; null is for many a field that is missing. */
function isOtherAmbiente(value: unknown): boolean {
  return value !== undefined && value !== null && !ambientes.some((known) => known === value);
}

/** Answers to an issuance. Sections 4.1, 4.2 and 7.3. */
export const nfeIssuance: readonly ExchangePredicate[] = [
  status200('nfe-issuance.status-200', 'nfe-issuance'),
  empty('nfe-issuance.no-content', 'nfe-issuance'),
  refusedWithArray('nfe-issuance.error-array', 'nfe-issuance', [400, 404]),
  refused('nfe-issuance.id-required', (json) => isObject(json) && hasNoId(json), 'an issuance without id'),
  refused(
    'nfe-issuance.id-string',
    (json) => isObject(json) && !hasNoId(json) && !['string', 'undefined'].includes(typeof member(json, 'id')),
    'an id that is no string',
  ),
  refused(
    'nfe-issuance.ambiente-known',
    (json) => isObject(json) && !hasNoId(json) && isOtherAmbiente(member(json, 'ambienteEmissao')),
    'an ambienteEmissao that is neither of the two',
  ),
  refused('nfe-issuance.malformed-json', (json) => !isObject(json), 'a body that is no JSON object'),
];

const hasState = fits(invoiceSchema);
const hasNoDanfe = fits(fieldsOf(unauthorisedInvoice, 'linkDanfe'));

/** Judges the object that a query told of an invoice. An envelope around it has a clause of its own. */
function ofInvoice(clause: ExchangePredicate['clause'], judge: (invoice: unknown) => Judgement): ExchangePredicate {
  return predicate(clause, (record) => {
    const invoice = contentOf(record.json);
    if (record.status !== 200 || !isAcceptedBy(record, 'nfe-query') || !isObject(invoice)) return undefined;
    return judge(invoice);
  });
}

/** That an invoice in that state has no link to a DANFE: none, null, or an empty one. */
function withoutDanfe(clause: ExchangePredicate['clause'], state: NfeState): ExchangePredicate {
  return ofInvoice(clause, (invoice) => {
    if (member(invoice, 'status') !== state) return undefined;
    return judged(hasNoDanfe(invoice), () => ({
      expected: `no linkDanfe while the status is ${state}`,
      actual: shown(member(invoice, 'linkDanfe')),
    }));
  });
}

/** Answers to a query. Sections 3.1, 4.1 and 7.3. */
export const nfeQuery: readonly ExchangePredicate[] = [
  predicate('nfe-query.bare-object', (record) => {
    if (!isAcceptedBy(record, 'nfe-query')) return undefined;
    const { status, json } = record;
    return judged(status === 200 && isObject(json) && !isEnveloped(json), () => ({
      expected: '200 and an object, without success, code and data around it',
      actual: `${status}, ${bodyForm(record)}`,
    }));
  }),
  ofInvoice('nfe-query.status-known', (invoice) => {
    return judged(hasState(invoice), () => ({
      expected: nfeStates.join(', '),
      actual: `status is ${shown(member(invoice, 'status'))}`,
    }));
  }),
  ofInvoice('nfe-query.danfe-link-when-authorised', (invoice) => {
    if (member(invoice, 'status') !== 'Autorizada') return undefined;
    const link = member(invoice, 'linkDanfe');
    return judged(isHttpUrl(link), () => ({ expected: 'an absolute http or https URL', actual: shown(link) }));
  }),
  withoutDanfe('nfe-query.no-danfe-link-while-waiting', 'AguardandoAutorizacao'),
  withoutDanfe('nfe-query.no-danfe-link-when-denied', 'Negada'),
  withoutDanfe('nfe-query.no-danfe-link-when-cancelled', 'Cancelada'),
  ofInvoice('nfe-query.xml-link', (invoice) => {
    if (member(invoice, 'status') !== 'Autorizada') return undefined;
    return judged(xmlLinkIn(invoice) !== undefined, () => ({
      expected: 'a field whose name contains xml with an absolute http or https URL',
      actual: 'no such field',
    }));
  }),
  refusedWithArray('nfe-query.unknown-id', 'nfe-query', [404]),
];

/** A 400 may be for an invoice that is known and can't be cancelled. */
const unknownId = refusedWithArray('nfe-cancellation.unknown-id', 'nfe-cancellation', [404]);
const byArray = refusedWithArray('nfe-cancellation.error-array', 'nfe-cancellation', [400]);

const errorArray: ExchangePredicate = predicate('nfe-cancellation.error-array', (record) => {
  // Of one that was sent again nobody knows what became of it before: cancelling twice may be refused in any way.
  if (!record.isResent && isRefusedBy(record, 'nfe-cancellation', [409, 422]))
    return { expected: '400 or 404 and an array of errors', actual: statusText(record) };
  return byArray.judge(record) ?? (unknownId.judge(record) === 'holds' ? 'holds' : undefined);
});

/** Answers to a cancellation. Sections 4.1 and 7.3. */
export const nfeCancellation: readonly ExchangePredicate[] = [
  status200('nfe-cancellation.status-200', 'nfe-cancellation'),
  empty('nfe-cancellation.empty-body', 'nfe-cancellation'),
  errorArray,
  unknownId,
];
