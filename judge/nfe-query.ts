import { nfeStates, type NfeState } from '../contract/states.ts';
import { isHttpUrl, xmlLinkIn } from '../contract/xml-link.ts';
import { member } from '../schemas/values.ts';
import { contentOf, isAcceptedBy, isEnveloped, isObject } from './answers.ts';
import { judged, shown, type ExchangePredicate, type Judgement } from './predicate.ts';
import { refusedWithArray } from './refusals.ts';

/** Judges the object that a query told of an invoice. An envelope around it has a clause of its own. */
function ofInvoice(clause: ExchangePredicate['clause'], judge: (invoice: unknown) => Judgement): ExchangePredicate {
  return {
    clause,
    judge(record) {
      const invoice = contentOf(record.json);
      if (record.status !== 200 || !isAcceptedBy(record, 'nfe-query') || !isObject(invoice)) return undefined;
      return judge(invoice);
    },
  };
}

/** That an invoice in that state has no link to a DANFE: none, null, or an empty one. */
function withoutDanfe(clause: ExchangePredicate['clause'], state: NfeState): ExchangePredicate {
  return ofInvoice(clause, (invoice) => {
    if (member(invoice, 'status') !== state) return undefined;
    const link = member(invoice, 'linkDanfe');
    return judged(link === undefined || link === null || link === '', () => ({
      expected: `no linkDanfe while the status is ${state}`,
      actual: shown(link),
    }));
  });
}

/** Answers to a query. Sections 3.1, 4.1 and 7.3. */
export const nfeQuery: readonly ExchangePredicate[] = [
  {
    clause: 'nfe-query.bare-object',
    judge(record) {
      if (!isAcceptedBy(record, 'nfe-query')) return undefined;
      const { status, json } = record;
      return judged(status === 200 && isObject(json) && !isEnveloped(json), () => ({
        expected: '200 and an object, without success, code and data around it',
        actual: `${status}, ${isEnveloped(json) ? 'a platform envelope' : isObject(json) ? 'an object' : 'no object'}`,
      }));
    },
  },
  ofInvoice('nfe-query.status-known', (invoice) => {
    const status = member(invoice, 'status');
    return judged(
      nfeStates.some((state) => state === status),
      () => ({ expected: nfeStates.join(', '), actual: `status is ${shown(status)}` }),
    );
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
