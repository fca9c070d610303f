import type { NfeOutcome } from '../contract/values.ts';
import { member } from '../schemas/values.ts';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { contentOf, isAcceptedBy } from './answers.ts';
import { askedOnce, idsOf, isCall, spanOf } from './history.ts';
import {
  isDone,
  isMove,
  spanAt,
  type Move,
  courseOf,
  isAcknowledged,
  ofCourse,
  wasSteered,
  type Course,
} from './course.ts';
import { broughtBy, callbackIn, statedOutcome, verdictIn } from './delivery.ts';
import { judged, shown, type HistoryPredicate, type Judgement, ofHistory } from './predicate.ts';

/** When an exchange was over: a clock that tells whole milliseconds tells each beginning up to one too early. */
function endOf(record: ExchangeRecord): number {
  return spanOf(record).toMs;
}

/** Whether what a request started has settled and was delivered once that move has ended. */
function hasSettledBy(move: Move | undefined, exchange: ExchangeRecord, { clock, settleSeconds }: Course): boolean {
  const due = spanAt(clock, endOf(exchange)).to + settleSeconds;
  return move !== undefined && move.atMs >= endOf(exchange) && move.to >= due;
}

/** Whether the tax authority was out of reach at some time, or the application was changed: then it is free what comes when. */
function isFree(course: Course): boolean {
  const isUnreachable = course.steerings.some(({ json }) => member(json, 'reachable') === false);
  return isUnreachable || wasSteered(course, 'PATCH', /./);
}

/** What became of the callback of an invoice. */
type Found = 'came' | 'with another nfeId' | 'with another empresaId' | 'lost' | undefined;

/** What became of it, of an accepted issuance for which an address of ours was registered that acknowledges everything. */
function callbackFound(issuance: ExchangeRecord, course: Course): Found {
  const { move, exchanges, deliveries } = course;
  if (!hasSettledBy(move, issuance, course) || isFree(course)) return undefined;
  const registrations = exchanges.filter((record) => isAcceptedBy(record, 'webhook-registration'));
  const isOurs = registrations.findLast((record) => endOf(record) <= issuance.sentAtMs)?.address !== undefined;
  const isReplaced = registrations.some((record) => endOf(record) > issuance.sentAtMs);
  const onChannel = deliveries.filter(({ address }) => address?.channel === 'issuance');
  const mayBeHeld = onChannel.some((record) => isAcknowledged(record) !== true);
  if (!isOurs || isReplaced || mayBeHeld) return undefined;
  const since = onChannel.filter(({ arrivedAtMs }) => arrivedAtMs >= issuance.sentAtMs);
  if (since.some((record) => isNamed(record, issuance))) return 'came';
  const issued = new Set(exchanges.filter(isIssuance).map(({ ids }) => ids.nfeId));
  if (since.some(({ ids }) => ids.nfeId === undefined || ids.empresaId === undefined)) return undefined;
  if (since.some(({ ids }) => ids.nfeId === issuance.ids.nfeId)) return 'with another empresaId';
  return since.some(({ ids }) => !issued.has(ids.nfeId)) ? 'with another nfeId' : 'lost';
}

function isNamed({ ids }: DeliveryRecord, { ids: { empresaId, nfeId } }: ExchangeRecord): boolean {
  return ids.empresaId === empresaId && ids.nfeId === nfeId;
}

/** The course that ended last before a record. */
const lastCourse = askedOnce((_, earlier) => {
  const at = earlier.findLastIndex(isMove);
  const move = earlier[at];
  return move && courseOf(move, earlier.slice(0, at));
});

/** Judges the callback of an invoice once a query says how it ended: then all that the issuance started has settled. */
function calledBack(
  clause: HistoryPredicate['clause'],
  outcomes: readonly NfeOutcome[],
  wrong: Exclude<Found, 'came' | undefined>,
  expected: string,
): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    const status = latest.kind === 'exchange' && latest.caller?.hasOwnClock ? statusOf(latest) : undefined;
    if (latest.kind !== 'exchange' || !outcomes.some((outcome) => outcome === status)) return undefined;
    const course = lastCourse(latest, earlier);
    const issued = course?.exchanges.filter(
      (record) => record.endpoint?.name === 'nfe-issuance' && isSame(record, latest),
    );
    const issuance = issued?.[0];
    if (!course || !issuance || issued.length > 1 || !isAcceptedBy(issuance, 'nfe-issuance')) return undefined;
    const found = callbackFound(issuance, course);
    if (found === 'came') return 'holds';
    return found === wrong
      ? { expected, actual: found === 'lost' ? 'none' : `one ${found}`, beside: [issuance] }
      : undefined;
  });
}

/** What a callback is to name, and what came in its place. Section 2.3. */
const naming = {
  nfeId: { expected: 'a callback with the id that was sent', actual: 'one with another nfeId' },
  empresaId: { expected: 'a callback with the company that issued', actual: 'one with another empresaId' },
} as const;

/**
 * Callbacks since the last move whose invoice their application never issued. Of an application with a clock of its own all that it
 * issued is known.
 */
function unissuedIn(course: Course): readonly Judgement[] {
  const issued = course.exchanges.filter(isIssuance).map(({ ids }) => ids);
  const isUnknown = issued.some(({ nfeId, empresaId }) => nfeId === undefined || empresaId === undefined);
  if (issued.length === 0 || isUnknown) return [];
  return course.deliveries
    .filter((record) => record.arrivedAtMs > course.quietMs && record.address?.channel === 'issuance')
    .filter((record) => callbackIn(record) !== undefined)
    .map((delivery) => {
      const { nfeId, empresaId } = delivery.ids;
      if (nfeId === undefined || empresaId === undefined) return undefined;
      return issued.some((one) => one.nfeId === nfeId) ? undefined : { ...naming.nfeId, beside: [delivery] };
    });
}

/** Callbacks under ids of nobody that are no chance: one may be of an invoice of before. */
const fewestUnderOtherIds = 2;

/** That callbacks come under the ids which their application issued under, where all that came for its companies bear others. */
function noneUnderItsId(all: readonly TraceRecord[]): Judgement {
  const issued = all.filter(isIssuance).filter((record) => isAcceptedBy(record, 'nfe-issuance'));
  const [ids, companies] = [
    new Set(issued.map((one) => one.ids.nfeId)),
    new Set(issued.map((one) => one.ids.empresaId)),
  ];
  const callbacks = all.filter(
    (record) =>
      record.kind === 'delivery' &&
      record.signature === 'right' &&
      record.hasToken === true &&
      callbackIn(record) !== undefined &&
      record.ids.nfeId !== undefined &&
      companies.has(record.ids.empresaId),
  );
  if (callbacks.length < fewestUnderOtherIds || ids.has(undefined) || companies.has(undefined)) return undefined;
  return callbacks.some((record) => ids.has(idsOf(record).nfeId)) ? undefined : { ...naming.nfeId, beside: callbacks };
}

/** That a callback names the company which issued its invoice: nobody else knows an id of this run. */
function namesItsCompany(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const { nfeId, empresaId } = idsOf(latest);
  const isCallback = latest.kind === 'delivery' && callbackIn(latest) !== undefined;
  if (!isCallback || nfeId === undefined || empresaId === undefined) return undefined;
  const issuedBy = (isIt: (company: string | undefined) => boolean): TraceRecord | undefined =>
    earlier.findLast((record) => isIssuance(record) && record.ids.nfeId === nfeId && isIt(record.ids.empresaId));
  if (issuedBy((company) => company === undefined || company === empresaId)) return 'holds';
  const other = issuedBy(() => true);
  return other && { ...naming.empresaId, beside: [other] };
}

/** That the callbacks of one invoice have one chave: with two, one of them names an invoice that it does not tell of. */
function namesItsInvoice(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const { chave } = idsOf(latest);
  if (toldIn(latest) === undefined || chave === undefined || isIssuedTwice(earlier)) return undefined;
  const before = earlier.filter((record) => toldIn(record) !== undefined && idsOf(record).chave !== undefined);
  const other = before.find((record) => idsOf(record).chave !== chave);
  if (!other) return before.length > 0 ? 'holds' : undefined;
  return { expected: naming.nfeId.expected, actual: 'two chaves under one nfeId', beside: [other] };
}

function isIssuance(record: TraceRecord): record is ExchangeRecord {
  return record.kind === 'exchange' && record.endpoint?.name === 'nfe-issuance';
}

function isSame({ ids }: ExchangeRecord, { ids: { empresaId, nfeId } }: ExchangeRecord): boolean {
  return nfeId !== undefined && ids.empresaId === empresaId && ids.nfeId === nfeId;
}

/** The status that a query told; `undefined` where it told none. */
function statusOf(record: TraceRecord): unknown {
  if (record.kind !== 'exchange' || record.status !== 200 || !isAcceptedBy(record, 'nfe-query')) return undefined;
  return member(contentOf(record.json), 'status');
}

/** Verifications that were accepted and are to bring an event, with the addresses that had been saved and tested before. */
function verifiedIn(course: Course): readonly { since: number; addresses: ReadonlySet<string> }[] {
  const saves = course.steerings.filter((call) => call.method === 'PUT' && call.path.endsWith('/verification-webhook'));
  const last = saves.findLast(isDone);
  const urls = member(last?.json, 'urls');
  if (!last || !Array.isArray(urls) || urls.length === 0 || isFree(course)) return [];
  const savedMs = spanOf(last).toMs;
  const addresses = new Set(
    course.deliveries
      .filter((record) => record.address?.channel === 'verification' && broughtBy(record) === 'test')
      .filter(({ arrivedAtMs }) => arrivedAtMs >= last.atMs && arrivedAtMs <= last.atMs + Math.ceil(last.durationMs))
      .map(({ address }) => address?.name ?? ''),
  );
  if (addresses.size !== urls.length || saves.at(-1) !== last) return [];
  return course.exchanges
    .filter((record) => isAcceptedBy(record, 'nfe-verification') && record.sentAtMs >= savedMs)
    .filter(({ requestHeaders, status }) => requestHeaders.get('forcerevalidate') === 'true' && status === 200)
    .filter((record) => hasSettledBy(course.move, record, course))
    .filter((record) => !hasSettledBy(course.clock.moves.at(-2), record, course))
    .map(({ sentAtMs }) => ({ since: sentAtMs, addresses }));
}

/** The addresses at which something came since then that may be a verdict. */
function reachedSince({ deliveries }: Course, sinceMs: number): ReadonlySet<string> {
  const since = deliveries.filter(
    (record) =>
      record.address?.channel === 'verification' && record.arrivedAtMs >= sinceMs && broughtBy(record) !== 'test',
  );
  return new Set(since.map(({ address }) => address?.name ?? ''));
}

/** What else may bring a verdict. */
const others: ReadonlySet<string> = new Set(['chave-lookup', 'nfe-cancellation']);

/** Whether an application has had one document verified, once, and has done nothing else that might bring a verdict. */
function isOneVerification({ exchanges, steerings }: Course): boolean {
  const asked = exchanges.filter(({ endpoint }) => endpoint?.name === 'nfe-verification');
  const isTouched = steerings.some(({ path }) => path.startsWith('/authority/') || path.endsWith('/redeliver'));
  const isAlone = exchanges.every(({ endpoint }) => endpoint === undefined || !others.has(endpoint.name));
  return asked.length === 1 && asked.every(({ isResent }) => !isResent) && isAlone && !isTouched;
}

/** The one document that an application asked about; `undefined` where there are several, or it does not show. */
function onlyChave({ exchanges }: Course): string | undefined {
  const asked = exchanges.filter(
    ({ endpoint }) => endpoint?.name === 'nfe-verification' || endpoint?.name === 'chave-lookup',
  );
  const chaves = new Set(asked.map(({ ids }) => ids.chave));
  const [chave] = chaves;
  return chaves.size === 1 ? chave : undefined;
}

/** What is read for a query may be behind by a moment, in milliseconds: the contract says nothing of when it tells what a callback told. */
const behindMs = 5_000;

/** Judges a query and a callback of one invoice by each other. */
function agreement(callback: DeliveryRecord, query: TraceRecord): Judgement {
  const [told, status] = [statedOutcome(callbackIn(callback) ?? {}), statusOf(query)];
  if (query.kind !== 'exchange' || told === undefined || typeof status !== 'string') return undefined;
  const isLater = query.sentAtMs >= callback.arrivedAtMs;
  const isEarlier = endOf(query) <= callback.arrivedAtMs;
  const isOther = status === 'Autorizada' || status === 'Negada' || (isLater && status === 'AguardandoAutorizacao');
  const isBehind = status === 'AguardandoAutorizacao' && query.sentAtMs - callback.arrivedAtMs < behindMs;
  if ((!isLater && !isEarlier) || (isEarlier && !isOther) || isBehind) return undefined;
  return judged(status === told || !isOther, () => ({
    expected: `${told} in callback and query`,
    actual: `${told} in the callback, ${status} in a query ${isLater ? 'after' : 'before'} it`,
    beside: isLater ? [callback] : [query],
  }));
}

/** That an outcome which was told before its invoice was cancelled is not told in another event since. */
function anewSinceCancelled(latest: TraceRecord, earlier: readonly TraceRecord[]): Judgement {
  const since = earlier
    .filter((record) => isCall(record, 'nfe-cancellation'))
    .find((record) => isAcceptedBy(record, 'nfe-cancellation'));
  if (latest.kind !== 'delivery' || toldIn(latest) === undefined || !since || isIssuedTwice(earlier)) return undefined;
  const { address, ids, arrivedAtMs } = latest;
  const before = earlier
    .filter((record) => record.kind === 'delivery')
    .filter((record) => toldIn(record) !== undefined && record.ids.eventId !== undefined);
  const first = before.find((record) => record.address?.name === address?.name);
  const isAnew = ids.eventId !== undefined && before.every((record) => record.ids.eventId !== ids.eventId);
  if (!first || !isAnew || endOf(since) > arrivedAtMs) return undefined;
  return {
    expected: 'no callback for a cancellation',
    actual: `another event, ${shown(toldIn(latest))}`,
    beside: [first],
  };
}

/** What came of issuances and verifications. Sections 2.3 and 6. */
export const outcomes: readonly HistoryPredicate[] = [
  calledBack(
    'issuance-callback.called-back-when-authorised',
    ['Autorizada'],
    'lost',
    'a callback of the authorised invoice',
  ),
  calledBack('issuance-callback.called-back-when-denied', ['Negada'], 'lost', 'a callback of the denied invoice'),
  calledBack('issuance-callback.nfe-id', ['Autorizada', 'Negada'], 'with another nfeId', naming.nfeId.expected),
  ofCourse('issuance-callback.nfe-id', unissuedIn),
  { clause: 'issuance-callback.nfe-id', of: 'application', judgeWhole: noneUnderItsId },
  ofHistory('issuance-callback.nfe-id', 'invoice', namesItsInvoice),
  ofHistory('issuance-callback.empresa-id', 'application', namesItsCompany),
  ofHistory('issuance-callback.one-outcome', 'invoice', (latest, earlier) => {
    const told = toldIn(latest);
    if (told === undefined) return undefined;
    const before = earlier.map(toldIn).filter((each) => each !== undefined);
    if (before.length === 0 || isIssuedTwice(earlier)) return undefined;
    return judged(
      before.every((each) => each === told),
      () => ({
        expected: 'one outcome of an invoice',
        actual: [...new Set([...before, told])].map(shown).join(' and '),
        beside: earlier.filter((record) => toldIn(record) !== undefined),
      }),
    );
  }),
  ofHistory('issuance-callback.none-on-cancellation', 'invoice', anewSinceCancelled),
  ofHistory('issuance-callback.agrees-with-query', 'invoice', (latest, earlier) => {
    if (isIssuedTwice(earlier)) return undefined;
    const pairs =
      latest.kind === 'delivery'
        ? earlier.map((record) => agreement(latest, record))
        : earlier.map((record) => (record.kind === 'delivery' ? agreement(record, latest) : undefined));
    return pairs.find((pair) => pair !== undefined && pair !== 'holds') ?? pairs.find(Boolean);
  }),
  ofCourse('verdict-event.sent-when-settled', (course) =>
    verifiedIn(course).map(({ since }) =>
      judged(reachedSince(course, since).size > 0, () => ({
        expected: 'an event of the verification',
        actual: 'none',
      })),
    ),
  ),
  ofCourse('webhook-delivery.all-targets', (course) =>
    verifiedIn(course).map(({ since, addresses }) => {
      const reached = reachedSince(course, since).size;
      if (addresses.size < 2 || reached === 0) return undefined;
      return judged(reached === addresses.size, () => ({
        expected: `an event at each of ${addresses.size} addresses`,
        actual: `at ${reached}`,
      }));
    }),
  ),
  ofCourse('webhook-delivery.event-id-over-targets', (course) =>
    verifiedIn(course).map(({ since, addresses }) => {
      const events = course.deliveries.filter(
        (record) => record.arrivedAtMs >= since && verdictIn(record) !== undefined && record.ids.eventId !== undefined,
      );
      const reached = new Set(events.map(({ address }) => address?.name ?? ''));
      if (addresses.size < 2 || reached.size < 2 || !isOneVerification(course)) return undefined;
      return judged(new Set(events.map(({ ids }) => ids.eventId)).size === 1, () => ({
        expected: 'one event id at all addresses, as one verification brings one event',
        actual: 'several event ids',
        beside: events,
      }));
    }),
  ),
  ofCourse('verdict-event.chave-acesso', (course) => {
    const chave = onlyChave(course);
    return course.deliveries
      .filter((record) => record.arrivedAtMs > course.quietMs && verdictIn(record) !== undefined)
      .map(({ ids }) => {
        if (chave === undefined || ids.chave === undefined) return undefined;
        return judged(ids.chave === chave, () => ({ expected: 'the chave of the document', actual: 'another chave' }));
      });
  }),
];

function toldIn(record: TraceRecord): unknown {
  return record.kind === 'delivery' ? member(callbackIn(record), 'nfeStatus') : undefined;
}

/** Whether an id was accepted for a second invoice, as it may be after a denial. */
export function isIssuedTwice(earlier: readonly TraceRecord[]): boolean {
  const issued = earlier.filter((record) => record.kind === 'exchange' && isAcceptedBy(record, 'nfe-issuance'));
  return issued.length > 1;
}
