import { chaveIn, isOfWay } from '../contract/values.ts';
import { secondsOfTime } from '../schemas/texts.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import { member } from '../schemas/values.ts';
import type { DeliveryRecord, ExchangeRecord, LinkRecord, TraceRecord } from '../trace/records.ts';
import { isPage, isTellingError, summaryOf } from './answers.ts';
import { sentJson } from './endpoints.ts';
import {
  askedOnce,
  before,
  clockAfter,
  isAdvance,
  isFound,
  isIssued,
  isOfInvoiceOf,
  spanOf,
  idsOf,
} from './history.ts';
import type { Ambiente } from '../schemas/messages.ts';
import { clockOf, spanAt, type ClockSpan, timestampOf } from './course.ts';
import { callbackIn } from './delivery.ts';
import { shown, type HistoryPredicate, type Judgement } from './predicate.ts';

/** Seconds for which a link surely works, and after which it surely does not: some room on either side of ten minutes. Section 8. */
const [aliveSeconds, deadSeconds] = [9.5 * 60, 11 * 60];

/** Who gives a link: a query or a callback, each with clauses of its own. */
type Source = 'nfe-query' | 'issuance-callback';

/** What gave a link: an answer to a query, or a callback. */
type Giver = ExchangeRecord | DeliveryRecord;

/** The way of a link, from what gave it to where it was followed. */
interface Followed {
  readonly link: LinkRecord;
  /** The oldest first. */
  readonly givers: readonly [Giver, ...Giver[]];
  readonly earlier: readonly TraceRecord[];
  /** Seconds that have passed since then on the clock that it goes by: at least, and at most. */
  readonly since: (giver: Giver) => { readonly least: number; readonly most: number };
}

/** A link of that kind and source that is followed; `undefined` for another record, or where the time is not known. */
function followed(
  link: TraceRecord,
  earlier: readonly TraceRecord[],
  source: Source,
  kind: 'xml' | 'danfe',
): Followed | undefined {
  if (link.kind !== 'link') return undefined;
  const way = wayOf(link, earlier);
  const first = way?.givers[0];
  return first && sourceOf(first) === source && first.ids[kind] === link.ids.links?.[0] ? way : undefined;
}

/** The way of a link, whoever gave it. */
const wayOf = askedOnce((link, earlier): Followed | undefined => {
  if (link.kind !== 'link') return undefined;
  const [target = ''] = link.ids.links ?? [];
  const [first, ...others] = before(
    link,
    earlier.filter((record) => idsOf(record).links?.includes(target)),
  ).filter(isGiver);
  if (!first) return undefined;
  const isMoved = earlier.some((record) => isAdvance(record) && spanOf(record).toMs > spanOf(link).fromMs);
  const [now, { fromMs, toMs }] = [clockAfter(earlier), spanOf(link)];
  const since: Followed['since'] = (giver) => {
    if (now !== undefined) {
      const { from, to } = timeOf(giver, earlier);
      return { least: now - to, most: now - from };
    }
    const span = spanOf(giver);
    return { least: (fromMs - span.toMs) / 1000, most: (toMs - span.fromMs) / 1000 };
  };
  return isMoved ? undefined : { link, givers: [first, ...others], earlier, since };
});

function isGiver(record: TraceRecord): record is Giver {
  return isFound(record) || (record.kind === 'delivery' && callbackIn(record) !== undefined);
}

function sourceOf({ kind }: Giver): Source {
  return kind === 'exchange' ? 'nfe-query' : 'issuance-callback';
}

/**
 * Between which Unix seconds of its application's clock it came: a callback when it says, where that may be true on a clock that
 * is known.
 */
function timeOf(giver: Giver, earlier: readonly TraceRecord[]): ClockSpan {
  const stated = (giver.kind === 'exchange' ? giver.nowSeconds : timestampOf(giver)) ?? NaN;
  const clock = giver.kind === 'delivery' ? clockOf(earlier) : undefined;
  const span = clock && giver.kind === 'delivery' ? spanAt(clock, giver.arrivedAtMs) : undefined;
  return span && !(stated >= span.from && stated <= span.to) ? span : { from: stated, to: stated };
}

/**
 * Seconds that a link may be older than what first brought it here: a callback may have been held back since its invoice was
 * authorised, or, where it has no such time with a zone, since that was issued.
 */
function leadSeconds(giver: Giver, earlier: readonly TraceRecord[]): number {
  if (giver.kind === 'exchange') return 0;
  const secondsIn = (field: string): number => secondsOfTime(String(member(giver.json, field)));
  const isZoned = /(?:Z|[+-]\d\d:\d\d)$/.test(String(member(giver.json, 'nfeDataAutorizacao')));
  const authorisedSeconds = isZoned ? secondsIn('nfeDataAutorizacao') : NaN;
  const madeSeconds = Number.isNaN(authorisedSeconds) ? secondsIn('nfeDataEmissao') : authorisedSeconds;
  return Math.max(0, timeOf(giver, earlier).to - madeSeconds);
}

/** What came in place of a document, where that is plain: whether a page may be a DANFE is not for this to say. */
function inPlaceOf(kind: 'xml' | 'danfe', link: LinkRecord): string | undefined {
  const { status, body, json } = link;
  if (status > 299) return String(status);
  if (body.length === 0) return `${status} and an empty body`;
  if (isTellingError(json) || isEmptyJson(json)) return summaryOf(link);
  return kind === 'xml' && isPage(link) ? summaryOf(link) : undefined;
}

function isEmptyJson(json: unknown): boolean {
  return json === null || (typeof json === 'object' && Object.keys(json).length === 0);
}

/** That a link works for ten minutes. One of an invoice that is cancelled since, or of an application that changes, is let be. */
function alive(clause: ClauseId, source: Source, kind: 'xml' | 'danfe'): HistoryPredicate {
  const judge = (latest: TraceRecord, records: readonly TraceRecord[]): Judgement => {
    const way = followed(latest, records, source, kind);
    if (!way) return undefined;
    const { link, givers, earlier, since } = way;
    const [first] = givers;
    const age = since(first).most + leadSeconds(first, earlier);
    const isTouched = earlier.some((record) => isChange(record) || isCancelledSince(record, first));
    if (!(age <= aliveSeconds) || isTouched || !isTelling(link)) return undefined;
    const other = inPlaceOf(kind, link);
    if (!other) return 'holds';
    // What is dead minutes later may be so for its age.
    const served = age <= 60 && earlier.findLast((record) => isSameLink(record, link) && !inPlaceOf(kind, record));
    return {
      expected: `the document, ${Math.ceil(age)} s after the link was given`,
      actual: served ? `${other}, when it was followed again` : other,
      beside: served ? [first, served] : [first],
    };
  };
  return { clause, of: 'application', judge };
}

function isSameLink(record: TraceRecord, { ids }: LinkRecord): record is LinkRecord {
  return record.kind === 'link' && record.ids.links?.[0] === ids.links?.[0];
}

/**
 * That a link which is given again once it is dead works for ten minutes more: one that is handed out is good. Of one that was still
 * alive then nobody can say for how long.
 */
function aliveAgain(clause: ClauseId, kind: 'xml' | 'danfe'): HistoryPredicate {
  const judge = (latest: TraceRecord, records: readonly TraceRecord[]): Judgement => {
    const way = followed(latest, records, 'nfe-query', kind);
    const last = way?.givers.at(-1);
    if (!way || !last || !isTelling(way.link)) return undefined;
    const { link, givers, earlier, since } = way;
    const [age, whole] = [since(last).most, since(givers[0]).least];
    const isTouched = earlier.some((record) => isChange(record) || isCancelledSince(record, last));
    if (!(age <= aliveSeconds) || !(whole - age >= deadSeconds) || isTouched) return undefined;
    const other = inPlaceOf(kind, link);
    if (!other) return 'holds';
    const expected = `the document, ${Math.ceil(age)} s after the link was given`;
    return {
      expected,
      actual: other,
      hint: 'a link is told again that was dead by then',
      beside: [last],
    };
  };
  return { clause, of: 'application', judge };
}

/** That a link is dead once ten minutes have passed since it was last given. */
function expires(clause: ClauseId, source: Source, kind: 'xml' | 'danfe'): HistoryPredicate {
  const judge = (latest: TraceRecord, records: readonly TraceRecord[]): Judgement => {
    const way = followed(latest, records, source, kind);
    const last = way?.givers.at(-1);
    if (!way || !last) return undefined;
    const { least } = way.since(last);
    const { status } = way.link;
    if (!(least >= deadSeconds) || !isTelling(way.link)) return undefined;
    if (status >= 400 && status <= 499) return 'holds';
    if (status > 299) return undefined;
    return { expected: `4xx, ${Math.floor(least)} s after the link was given`, actual: String(status), beside: [last] };
  };
  return { clause, of: 'application', judge };
}

/** Whether what came is the service's word on the link: no redirection, no trouble on the way. */
function isTelling({ status }: LinkRecord): boolean {
  return (status >= 200 && status <= 299) || (status >= 400 && ![408, 429].includes(status) && !isOfWay(status));
}

/** Whether something other than its clock and its deliveries was changed of an application. */
function isChange(record: TraceRecord): boolean {
  return record.kind === 'steering' && (record.method === 'PATCH' || record.path.endsWith('/secret'));
}

function isCancelling(record: TraceRecord, giver: Giver): boolean {
  return record.kind === 'exchange' && record.endpoint?.name === 'nfe-cancellation' && isOfInvoiceOf(record, giver);
}

/** Whether a record cancels the invoice of a link, and ended after the link was given: one that is given later has its ten minutes. */
function isCancelledSince(record: TraceRecord, giver: Giver): boolean {
  if (!isCancelling(record, giver)) return false;
  return giver.kind === 'delivery' || spanOf(record).toMs > spanOf(giver).fromMs;
}

/** That the XML behind a link is that of the invoice which gave it: no other one's. */
function servesOwn(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const own = followed(latest, earlier, 'nfe-query', 'xml');
  if (!own || own.link.status > 299 || own.link.ids.chave === undefined) return undefined;
  const isOfAnother = (record: TraceRecord, at: number): boolean => {
    if (record.kind !== 'link' || record.status > 299) return false;
    const way = followed(record, earlier.slice(0, at), 'nfe-query', 'xml');
    return way !== undefined && !isOfInvoiceOf(way.givers[0], own.givers[0]);
  };
  const other = own.givers.find((giver) => !isOfInvoiceOf(giver, own.givers[0]));
  if (other) {
    const actual = 'one address for the documents of two invoices';
    return { expected: 'a link of its own', actual, beside: [own.givers[0], other] };
  }
  const { chave } = own.link.ids;
  // First those of which one may be wrong: of the others it is enough that there is one.
  const same = earlier.find((record, at) => idsOf(record).chave === chave && isOfAnother(record, at));
  if (!same) return earlier.some(isOfAnother) ? 'holds' : undefined;
  const actual = 'the chave that stands behind the link of another invoice';
  return { expected: 'a chave of its own', actual, beside: [own.givers[0], same] };
}

/**
 * That an authorised NF-e stands behind a link to XML that is surely alive, where anything does. Of a DANFE a mask leaves nothing to
 * tell. Sections 2.3 and 4.1.
 */
function servesNfe(clause: ClauseId, source: Source): HistoryPredicate {
  const judge = (latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement => {
    const way = followed(latest, earlier, source, 'xml');
    const last = way?.givers.at(-1);
    if (!way || !last || !(way.since(last).most <= aliveSeconds) || inPlaceOf('xml', way.link)) return undefined;
    const beside = [way.givers[0]];
    if (way.link.ids.chave === undefined)
      return { expected: 'an NF-e with its chave in infNFe', actual: 'something else', beside };
    const issued = earlier.find((record) => isIssued(record) && isOfInvoiceOf(record, way.givers[0]));
    const actual = lackOf(way.link.body.toString('utf8'), issued);
    return actual === undefined ? 'holds' : { expected: 'the NF-e as it was authorised', actual, beside };
  };
  return { clause, of: 'application', judge };
}

/**
 * What an NF-e lacks of one that was authorised, as it was issued: its issuer's signature, its environment, its protocol. What stands in
 * an element is compared where it is written plainly: XML has many ways to write it.
 */
function lackOf(xml: string, issued: TraceRecord | undefined): string | undefined {
  if (!/<(?:[^\s<>/:]+:)?Signature[\s>]/.test(xml)) return 'an NF-e without a signature';
  if (!/<(?:[^\s<>/:]+:)?chNFe[\s>]/.test(xml)) return 'an NF-e without the protocol of its authorisation';
  const [of, own] = [/[<:]chNFe\s*>\s*(\d{44})\s*</.exec(xml)?.[1], chaveIn(xml)];
  if (of !== undefined && own !== undefined && of !== own) return 'another chave in its protocol';
  const ambiente = issued?.kind === 'exchange' ? member(sentJson(issued), 'ambienteEmissao') : undefined;
  const [due, told] = [numbers.get(ambiente), /[<:]tpAmb\s*>\s*(\d)\s*</.exec(xml)?.[1]];
  if (due === undefined || told === undefined || told === due) return undefined;
  return `tpAmb ${told} in an NF-e that was issued in ${shown(ambiente)}`;
}

/** The numbers that the environments have in an NF-e. */
const numbers: ReadonlyMap<unknown, string> = new Map([
  ['Producao', '1'],
  ['Homologacao', '2'],
] satisfies [Ambiente, string][]);

/** That the XML behind the link of a callback has the chave of the callback. */
function servesCallback(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const way = followed(latest, earlier, 'issuance-callback', 'xml');
  const [first] = way?.givers ?? [];
  const [served, told] = [way?.link.ids.chave, first?.ids.chave];
  if (!way || !first || way.link.status > 299 || served === undefined || told === undefined) return undefined;
  if (served === told) return 'holds';
  return { expected: 'the chave of the callback', actual: 'another chave', beside: [first] };
}

/** Where the XML of an invoice has what its callback tells. */
const elements = {
  nfeNumero: /<(?:\w+:)?nNF>\s*(\d+)\s*</,
  nfeSerie: /<(?:\w+:)?serie>\s*(\d+)\s*</,
  nfeNumeroProtocolo: /<(?:\w+:)?nProt>\s*(\d+)\s*</,
} as const;

/** That what a callback tells of its invoice stands in the XML behind its link, where that is the XML of the invoice. */
function servesWhatIsTold(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const way = followed(latest, earlier, 'issuance-callback', 'xml');
  const [first] = way?.givers ?? [];
  if (!way || !first || way.link.status > 299 || way.link.ids.chave !== first.ids.chave) return undefined;
  const xml = way.link.body.toString('utf8');
  const pairs = Object.entries(elements).map(([field, element]) => ({
    told: member(first.json, field),
    served: element.exec(xml)?.[1],
  }));
  const wrong = pairs.find(({ told, served }) => served !== undefined && isOther(told, served));
  if (!wrong) return undefined;
  const actual = `${shown(wrong.told)} in the callback`;
  return { expected: `${wrong.served}, as in the XML behind its link`, actual, beside: [first] };
}

/** Whether a text of digits is another number; one that is filled with zeros is the same. */
function isOther(told: unknown, served: string): boolean {
  return typeof told === 'string' && /^\d+$/.test(told) && BigInt(told) !== BigInt(served);
}

/** What links to documents do over time. Sections 2.3, 4.1 and 8. */
export const links: readonly HistoryPredicate[] = [
  alive('nfe-query.xml-link-alive', 'nfe-query', 'xml'),
  alive('nfe-query.danfe-link-alive', 'nfe-query', 'danfe'),
  alive('issuance-callback.xml-link-alive', 'issuance-callback', 'xml'),
  aliveAgain('nfe-query.xml-link-alive', 'xml'),
  aliveAgain('nfe-query.danfe-link-alive', 'danfe'),
  expires('nfe-query.xml-link-expires', 'nfe-query', 'xml'),
  expires('nfe-query.danfe-link-expires', 'nfe-query', 'danfe'),
  expires('issuance-callback.xml-link-expires', 'issuance-callback', 'xml'),
  servesNfe('nfe-query.xml-link-serves-its-invoice', 'nfe-query'),
  servesNfe('issuance-callback.xml-of-the-invoice', 'issuance-callback'),
  { clause: 'nfe-query.xml-link-serves-its-invoice', of: 'application', judge: servesOwn },
  { clause: 'issuance-callback.xml-of-the-invoice', of: 'application', judge: servesCallback },
  { clause: 'issuance-callback.xml-of-the-invoice', of: 'application', judge: servesWhatIsTold },
];
