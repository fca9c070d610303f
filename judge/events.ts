import { secondsOfTime } from '../schemas/texts.ts';
import { member } from '../schemas/values.ts';
import type { DeliveryRecord, ExchangeRecord, TraceRecord } from '../trace/records.ts';
import { isAcceptedBy } from './answers.ts';
import { broughtBy, callbackIn, verdictIn } from './delivery.ts';
import {
  isAskedAfter,
  timestampOf,
  isAcknowledged,
  isDone,
  isOnLadder,
  ofCourse,
  type Course,
  spanAt,
} from './course.ts';
import { isIssuedTwice } from './outcomes.ts';
import { judged, type Broken, type HistoryPredicate, type Judgement, shown, ofHistory } from './predicate.ts';
import { idsOf, isCall, type Thing } from './history.ts';

/** Judges a delivery by those to the same application that came before it of the same thing. */
function ofDeliveries(
  clause: HistoryPredicate['clause'],
  of: Thing,
  judge: (latest: DeliveryRecord, before: readonly DeliveryRecord[], earlier: readonly TraceRecord[]) => Judgement,
): HistoryPredicate {
  return ofHistory(clause, of, (latest, earlier) => {
    const caller = latest.kind === 'delivery' ? latest.address?.caller : undefined;
    if (latest.kind !== 'delivery' || caller === undefined) return undefined;
    const before = earlier.filter((record) => record.kind === 'delivery' && record.address?.caller === caller);
    return judge(
      latest,
      before.filter((record) => record.kind === 'delivery'),
      earlier,
    );
  });
}

/** Deliveries of the event that a delivery is of, whatever its id: the same bytes, or the same outcome of an invoice. */
function sameEvent(latest: DeliveryRecord, before: readonly DeliveryRecord[], earlier: readonly TraceRecord[]) {
  const brought = broughtBy(latest);
  const isEvent = brought === 'verdict' || brought === 'callback' || brought === 'wrapped callback';
  // That nothing is called back for a cancellation is only implied: what comes behind one may be another event.
  const isCancelled = earlier.some(
    (record) => isCall(record, 'nfe-cancellation') && isAcceptedBy(record, 'nfe-cancellation'),
  );
  if (!isEvent || latest.ids.eventId === undefined || isIssuedTwice(earlier) || isCancelled) return [];
  const outcome = outcomeOf(latest);
  return before.filter(
    (record) =>
      record.ids.eventId !== undefined &&
      (record.ids.content === latest.ids.content ||
        (outcome !== undefined && outcomeOf(record) === outcome && !isOfOtherChave(record, latest))),
  );
}

function isOfOtherChave({ ids: { chave } }: DeliveryRecord, { ids }: DeliveryRecord): boolean {
  return chave !== undefined && ids.chave !== undefined && chave !== ids.chave;
}

function outcomeOf(record: DeliveryRecord): unknown {
  return member(callbackIn(record), 'nfeStatus');
}

/** Judges that an event keeps its id: at one address, or over several. */
function keptId(clause: HistoryPredicate['clause'], of: Thing, isOneAddress: boolean): HistoryPredicate {
  return ofDeliveries(clause, of, (latest, before, earlier) => {
    // A body that is no event may be the same for two of them.
    if (broughtBy(latest) === undefined) return undefined;
    // The outcome of an invoice is one event, which all that is known of the invoice tells more of.
    if (of === 'content' && outcomeOf(latest) !== undefined) return undefined;
    const same = sameEvent(latest, before, earlier).filter(
      ({ address }) => (address?.name === latest.address?.name) === isOneAddress,
    );
    if (same.length === 0) return undefined;
    const other = same.find(({ ids }) => ids.eventId !== latest.ids.eventId);
    return judged(other === undefined, () => ({
      expected: isOneAddress ? 'one event id for all attempts of an event' : 'one event id at all addresses',
      // In a trace ids stand hidden: the deliveries beside it show them.
      actual: 'two event ids',
      beside: other ? [other] : [],
    }));
  });
}

/** Whether two callbacks are of two invoices of one company, and say so by their numbers. */
function areNumberedApart(one: DeliveryRecord, other: DeliveryRecord): boolean {
  const [number, otherNumber] = [one, other].map((record) => member(callbackIn(record), 'nfeNumero'));
  const areStated = [number, otherNumber].every((each) => typeof each === 'string' && each !== '');
  return (
    areStated &&
    number !== otherNumber &&
    one.ids.nfeId !== other.ids.nfeId &&
    one.ids.empresaId === other.ids.empresaId
  );
}

/** Longest that a clock of ours may be wrong about the target's, in seconds. */
const skewSeconds = 5;

/**
 * Whether a verdict tells of a verification that was made after an earlier one had been delivered and acknowledged: of another status,
 * or later than that for sure.
 */
function isVerifiedAfter(latest: DeliveryRecord, before: DeliveryRecord): boolean {
  const [time, earlier] = [latest, before].map((record) => member(verdictIn(record), 'verifiedAt'));
  const [status, statusBefore] = [latest, before].map((record) => member(verdictIn(record), 'status'));
  const toldAt = timestampOf(before);
  if (typeof time !== 'string' || time === earlier || toldAt === undefined) return false;
  if (isAcknowledged(before) !== true) return false;
  const isLater = status !== statusBefore || secondsOfTime(time) > toldAt + skewSeconds;
  return latest.address?.name === before.address?.name && isLater;
}

/** Whether two deliveries, the earlier one first, bring different events for sure: of two invoices, of two kinds, or of one verified anew. */
function areTwoEvents(one: DeliveryRecord, other: DeliveryRecord): boolean {
  const [kind, otherKind] = [broughtBy(one), broughtBy(other)];
  const areKnown = [kind, otherKind].every((brought) => brought === 'callback' || brought === 'verdict');
  if (!areKnown) return false;
  const names = kind === 'callback' ? (['nfeId', 'empresaId'] as const) : (['chave'] as const);
  const isOther = (name: (typeof names)[number]): boolean =>
    one.ids[name] !== undefined && other.ids[name] !== undefined && one.ids[name] !== other.ids[name];
  return kind !== otherKind || names.some(isOther) || (kind === 'verdict' && isVerifiedAfter(other, one));
}

/** That what was a callback is one in every attempt: alone, a body that is none of those known may be anybody's. */
const stillCallback = ofDeliveries('issuance-callback.bare-object', 'event', (latest, before) => {
  const known = before.find((record) => broughtBy(record) === 'callback');
  if (!known || latest.json === undefined) return undefined;
  if (broughtBy(latest) !== undefined) return 'holds';
  return { expected: 'the result object, as in an attempt before', actual: 'a body that is none', beside: [known] };
});

/** Events over their retries and addresses. Sections 6.1 and 6.4. */
export const events: readonly HistoryPredicate[] = [
  ofDeliveries('issuance-callback.fields-of-denial', 'chave', (latest, before) => {
    if (outcomeOf(latest) !== 'Negada') return undefined;
    const other = before.find((record) => outcomeOf(record) === 'Autorizada' && areNumberedApart(record, latest));
    return (
      other && { expected: 'its own chave, or none', actual: 'that of an invoice of another number', beside: [other] }
    );
  }),
  stillCallback,
  keptId('webhook-delivery.event-id-kept-on-retry', 'content', true),
  keptId('webhook-delivery.event-id-kept-on-retry', 'invoice', true),
  keptId('webhook-delivery.event-id-over-targets', 'content', false),
  keptId('webhook-delivery.event-id-over-targets', 'invoice', false),
  ofDeliveries('webhook-delivery.event-id-of-its-own', 'event', (latest, before) => {
    const other = before.find((record) => areTwoEvents(record, latest));
    if (before.length > 0 && !other) return undefined;
    return judged(other === undefined, () => ({
      expected: 'an event id for each event',
      actual: 'one event id for two events',
      beside: other ? [other] : [],
    }));
  }),
  ofDeliveries('webhook-delivery.body-kept-on-retry', 'event', (latest, before) => {
    const links = (record: DeliveryRecord): string => (record.ids.links ?? []).join(' ');
    // A link may be made anew, since it lives for ten minutes.
    const same = before.filter(
      (record) =>
        record.address?.name === latest.address?.name &&
        !areTwoEvents(record, latest) &&
        links(record) === links(latest),
    );
    const other = same.find(({ ids }) => ids.content !== latest.ids.content);
    if (same.length === 0) return undefined;
    return judged(other === undefined, () => ({
      expected: 'the same bytes each time',
      actual: `${latest.body.length} bytes other than the ${other?.body.length} of before`,
      beside: other ? [other] : [],
    }));
  }),
  ofDeliveries('webhook-signature.hmac-of-timestamp-and-body', 'event', (latest, before) => {
    if (latest.signature !== 'wrong') return latest.signature === 'right' ? 'holds' : undefined;
    const isMissing = !latest.headers.has(`${latest.headerPrefix}-signature`.toLowerCase());
    if (isMissing || before.some(({ signature }) => signature === 'right')) return undefined;
    return wrongSignature(latest, 'the HMAC-SHA256 of timestamp, a dot and the raw body, by the App Secret');
  }),
  ofDeliveries('webhook-signature.fresh-on-retry', 'event', (latest, before) => {
    const first = before.find(({ signature }) => signature === 'right');
    if (!first || timestampOf(first) === timestampOf(latest)) return undefined;
    if (latest.signature === 'right') return 'holds';
    if (latest.signature !== 'wrong') return undefined;
    return { ...wrongSignature(latest, 'each attempt signed over its own timestamp'), beside: [first] };
  }),
];

function wrongSignature({ signatureHint }: DeliveryRecord, expected: string): Broken {
  return { expected, actual: signatureHint ?? 'another signature' };
}

/** When the secret was rotated: from when on the new one is in force. */
function rotatedMs({ steerings }: Course): { fromMs: number; untilMs: number } | undefined {
  const last = steerings.findLast((call) => call.method === 'POST' && call.path.endsWith('/secret') && isDone(call));
  return last && { fromMs: last.atMs, untilMs: last.atMs + last.durationMs };
}

function judgedSecret(record: DeliveryRecord | undefined, expected: string): Judgement {
  if (record?.signature !== 'right' && record?.signature !== 'by a former secret') return undefined;
  return judged(record.signature === 'right', () => ({
    expected,
    actual: 'one with the secret of before',
    beside: [record],
  }));
}

/** By which secret deliveries are signed after a rotation. Section 2.1. */
export const rotation: readonly HistoryPredicate[] = [
  ofCourse('webhook-signature.new-secret-after-rotation', (course) => {
    const rotated = rotatedMs(course);
    return course.deliveries
      .filter((record) => rotated && record.arrivedAtMs > Math.max(course.quietMs, rotated.untilMs))
      .filter((record) => rotated && isAskedAfter(course, record, rotated.untilMs))
      .map((record) => judgedSecret(record, 'an event after the rotation signed with the new secret'));
  }),
  ofCourse('webhook-signature.new-secret-on-retries', (course) => {
    const rotated = rotatedMs(course);
    if (!rotated || rotated.untilMs > course.move.atMs) return [];
    return course.byItself
      .filter(({ attempts: [first] }) => first && first.record.arrivedAtMs < rotated.fromMs)
      .flatMap(({ attempts }) => attempts.filter(({ record }) => record.arrivedAtMs >= course.move.atMs))
      .map(({ record }) => judgedSecret(record, 'a retry after the rotation signed with the new secret'));
  }),
];

/** How far a time may lie from a clock that is known, in seconds. */
const nearSeconds = 5;

/** Judges times in what came since the move before the last: they lie between the request and the arrival on the clock. */
function trueTime(
  clause: HistoryPredicate['clause'],
  timeIn: (record: DeliveryRecord) => unknown,
  sinceMsOf: (record: DeliveryRecord, course: Course) => number | undefined,
): HistoryPredicate {
  return ofCourse(clause, (course) =>
    course.deliveries
      .filter(({ arrivedAtMs }) => arrivedAtMs > course.quietMs)
      .map((record): Judgement => {
        const [time, sinceMs] = [timeIn(record), sinceMsOf(record, course)];
        const seconds = typeof time === 'string' ? secondsOfTime(time) : NaN;
        if (sinceMs === undefined || Number.isNaN(seconds)) return undefined;
        const [{ from }, { to }] = [spanAt(course.clock, sinceMs), spanAt(course.clock, record.arrivedAtMs)];
        return judged(seconds >= from - nearSeconds && seconds <= to + nearSeconds, () => ({
          expected: `a time from ${isoOf(from)} to ${isoOf(to)}, by the clock of the application`,
          actual: shown(time),
          beside: [record],
        }));
      }),
  );
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/** A day as it is written anywhere, or a number of seconds or milliseconds since 1970; telephone and postal numbers stand in texts. */
const timesAskedFor = [
  /\b(?:\d{4}[-/.]\d\d[-/.]\d\d|\d\d[-/.]\d\d[-/.]\d{4}|20\d{6}T)/,
  /:\s{0,9}1[6-9]\d{8}(?:\d{3})?\b/,
];

/** Whether an issuance may ask for a time of its own. Reading 40. */
function asksForTime({ requestBody }: ExchangeRecord): boolean {
  const text = requestBody.toString('utf8');
  return timesAskedFor.some((one) => one.test(text));
}

/** When the invoice of a callback was asked for, unless the request names a time itself. */
function issuedMs({ ids }: DeliveryRecord, { exchanges }: Course): number | undefined {
  const [issuance, ...more] = exchanges.filter(
    ({ endpoint, ids: { nfeId } }) => endpoint?.name === 'nfe-issuance' && nfeId !== undefined && nfeId === ids.nfeId,
  );
  return more.length > 0 || (issuance && asksForTime(issuance)) ? undefined : issuance?.sentAtMs;
}

/**
 * When the document was verified, where each was verified anew: the verdict of another time may be repeated else. What is new since
 * all was quiet comes of what was asked since then; a retry may be of the first of them.
 */
function verifiedMs({ ids }: DeliveryRecord, course: Course): number | undefined {
  const { exchanges, deliveries, quietMs, settleSeconds } = course;
  const asked = exchanges.filter(
    ({ endpoint }) => endpoint?.name === 'nfe-verification' || endpoint?.name === 'chave-lookup',
  );
  const areAnew = asked.every(({ requestHeaders }) => requestHeaders.get('forcerevalidate') === 'true');
  if (!areAnew) return undefined;
  const isKnown = deliveries.some((one) => one.ids.eventId === ids.eventId && one.arrivedAtMs <= quietMs);
  const since = isKnown || settleSeconds > 0 ? undefined : asked.find(({ sentAtMs }) => sentAtMs + 1 > quietMs);
  // Beginnings are told in whole milliseconds, so that one right after the move may seem to be before its end.
  return since ? since.sentAtMs + 1 : asked[0]?.sentAtMs;
}

/** How far a time may lie from a clock that runs on, which is known less well, in seconds. */
const roughlySeconds = 60;

/** What was asked for first that a delivery tells of; `undefined` where it may tell of something else, or of a time that was sent. */
function askedFirst({ ids, arrivedAtMs }: DeliveryRecord, earlier: readonly TraceRecord[]): ExchangeRecord | undefined {
  const isCallback = ids.nfeId !== undefined;
  const own = earlier
    .filter((record) => isCall(record, isCallback ? 'nfe-issuance' : 'nfe-verification'))
    .filter((one) => (isCallback ? one.ids.nfeId === ids.nfeId : one.ids.chave === ids.chave));
  const isSure = own.every((one) =>
    isCallback ? !asksForTime(one) : one.requestHeaders.get('forcerevalidate') === 'true',
  );
  return isSure && own[0] && own[0].sentAtMs <= arrivedAtMs ? own[0] : undefined;
}

/**
 * Judges times where the clock runs on. What is older than the request may be an event of before that is tried again: then its age is
 * about one of the ladder's.
 */
const roughTimes = ofHistory('webhook-delivery.true-times', 'application', (latest, earlier) => {
  if (latest.kind !== 'delivery' || latest.nowSeconds === undefined) return undefined;
  const [asked, now] = [askedFirst(latest, earlier), latest.nowSeconds];
  if (asked?.nowSeconds === undefined) return undefined;
  // The id of an invoice is of this run alone, so that nothing of before is tried again.
  const isOfRetry = (seconds: number): boolean =>
    callbackIn(latest) === undefined &&
    isOnLadder(
      [
        { from: seconds, to: seconds },
        { from: now, to: now },
      ],
      'first',
    );
  const [from, to] = [asked.nowSeconds - roughlySeconds, now + roughlySeconds];
  const times = [
    ['nfeDataEmissao', member(callbackIn(latest), 'nfeDataEmissao')],
    ['verifiedAt', member(verdictIn(latest), 'verifiedAt')],
    ['occurred_at', verdictIn(latest) && member(latest.json, 'occurred_at')],
  ].flatMap(([name, time]) =>
    typeof time === 'string' && time !== '' ? [{ name, seconds: secondsOfTime(time) }] : [],
  );
  const told = [...times, { name: 'the timestamp', seconds: timestampOf(latest) ?? NaN }];
  const known = told.filter(({ seconds }) => !Number.isNaN(seconds));
  const wrong = known.find(({ seconds }) => seconds > to || (seconds < from && !isOfRetry(seconds)));
  if (!wrong) return known.length > 0 ? 'holds' : undefined;
  return {
    expected: `a time from ${isoOf(from)} to ${isoOf(to)}`,
    actual: `${String(wrong.name)} is ${isoOf(wrong.seconds)}`,
    beside: [asked],
  };
});

/** How far the clock of the tax authority may lie from that of the service, in seconds: a time zone is farther. */
const authoritySeconds = 600;

/** The one request that issued the invoice of a chave; `undefined` where that is not known. */
function issuanceOf(chave: string | undefined, earlier: readonly TraceRecord[]): ExchangeRecord | undefined {
  const { nfeId, empresaId } = earlier.map(idsOf).find((ids) => ids.nfeId !== undefined && ids.chave === chave) ?? {};
  const [issuance, ...more] = earlier
    .filter((record) => isCall(record, 'nfe-issuance'))
    .filter(({ ids }) => nfeId !== undefined && ids.nfeId === nfeId && ids.empresaId === empresaId);
  return more.length === 0 ? issuance : undefined;
}

/** Judges when an invoice that was issued here was authorised, by the verdict on it. */
const timeOfAuthorisation = ofHistory('webhook-delivery.true-times', 'application', (latest, earlier) => {
  if (latest.kind !== 'delivery' || latest.nowSeconds === undefined) return undefined;
  const verdict = verdictIn(latest);
  const time = member(verdict, 'dataAutorizacao');
  const issuance = verdict && issuanceOf(latest.ids.chave, earlier);
  const seconds = typeof time === 'string' ? secondsOfTime(time) : NaN;
  if (issuance?.nowSeconds === undefined || Number.isNaN(seconds)) return undefined;
  const [from, to] = [issuance.nowSeconds - authoritySeconds, latest.nowSeconds + authoritySeconds];
  return judged(seconds >= from && seconds <= to, () => ({
    expected: `a time from ${isoOf(from)} to ${isoOf(to)}`,
    actual: `dataAutorizacao is ${isoOf(seconds)}`,
    beside: [issuance],
  }));
});

/** Times in deliveries, on a clock that is known. Sections 2.3, 2.4 and 6.6. */
export const times: readonly HistoryPredicate[] = [
  roughTimes,
  timeOfAuthorisation,
  trueTime('issuance-callback.data-emissao', (record) => member(callbackIn(record), 'nfeDataEmissao'), issuedMs),
  trueTime('verdict-event.verified-at', (record) => member(verdictIn(record), 'verifiedAt'), verifiedMs),
  trueTime(
    'verdict-event.occurred-at',
    (record) => (verdictIn(record) ? member(record.json, 'occurred_at') : undefined),
    verifiedMs,
  ),
];
