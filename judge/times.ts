import { member } from '../schemas/values.ts';
import type { DeliveryRecord } from '../trace/records.ts';
import { spanAt } from './clock.ts';
import { ofCourse, type Course } from './course.ts';
import { callbackIn, verdictIn } from './delivery.ts';
import { judged, shown, type HistoryPredicate, type Judgement } from './predicate.ts';

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
        const seconds = typeof time === 'string' ? Date.parse(time) / 1000 : NaN;
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

/** When the invoice of a callback was asked for, unless the request names a time itself. */
function issuedMs({ ids }: DeliveryRecord, { exchanges }: Course): number | undefined {
  const [issuance, ...more] = exchanges.filter(
    ({ endpoint, ids: { nfeId } }) => endpoint?.name === 'nfe-issuance' && nfeId !== undefined && nfeId === ids.nfeId,
  );
  const isAsked = /\d{4}-\d\d-\d\d/.test(issuance?.requestBody.toString('utf8') ?? '');
  return more.length > 0 || isAsked ? undefined : issuance?.sentAtMs;
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

/** Times in deliveries, on a clock that is known. Sections 2.3, 2.4 and 6.6. */
export const times: readonly HistoryPredicate[] = [
  trueTime('issuance-callback.data-emissao', (record) => member(callbackIn(record), 'nfeDataEmissao'), issuedMs),
  trueTime('verdict-event.verified-at', (record) => member(verdictIn(record), 'verifiedAt'), verifiedMs),
  trueTime(
    'verdict-event.occurred-at',
    (record) => (verdictIn(record) ? member(record.json, 'occurred_at') : undefined),
    verifiedMs,
  ),
];
