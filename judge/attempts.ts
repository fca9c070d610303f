import type { DeliveryRecord } from '../trace/records.ts';
import {
  isAskedAfter,
  duplicateSeconds,
  haveFailed,
  instantsOf,
  isAcknowledged,
  ofCourse,
  timestampOf,
  triedAmong,
  wasSteered,
  type Attempt,
  type Course,
  type Tried,
  isOnLadder,
  ladderText,
  mostRetries,
  wholeLadderSeconds,
} from './course.ts';
import { judged, type HistoryPredicate, type Judgement, ofHistory } from './predicate.ts';

type Answer = DeliveryRecord['answer'];

/** By when the first retry has come, in seconds after the first attempt. */
const firstRetrySeconds = 66;

/** What came of an event before some moment, such as the last move of the clock, and from then on. */
interface Parts {
  readonly before: readonly Attempt[];
  readonly now: readonly Attempt[];
}

function partsOf({ attempts }: Tried, sinceMs: number): Parts {
  const isNow = ({ record }: Attempt): boolean => record.arrivedAtMs >= sinceMs;
  return { before: attempts.filter((attempt) => !isNow(attempt)), now: attempts.filter(isNow) };
}

/**
 * Attempts that came before all was quiet for the first time: the first one, with its immediate duplicates. `undefined` where a move
 * of the clock that may bring a retry brought one of which nobody can tell which of the two it is.
 */
function firstOf({ attempts: [first, ...rest] }: Tried, { clock }: Course): readonly Attempt[] | undefined {
  const quiet = first && clock.moves.find(({ endMs }) => endMs >= first.record.arrivedAtMs);
  if (!quiet) return first ? [first] : [];
  const atOnce = rest.filter(
    ({ record, from }) => record.arrivedAtMs <= quiet.endMs && from - first.to <= duplicateSeconds,
  );
  const mayRetry = quiet.to - quiet.from >= surelyLaterSeconds;
  if (mayRetry && atOnce.some(({ record }) => record.arrivedAtMs >= quiet.atMs)) return undefined;
  return [first, ...atOnce];
}

/** Whether addresses or applications were changed after an event came: what follows then is free. */
function isUndisturbed({ attempts: [first], channel }: Tried, course: Course): boolean {
  const sinceMs = first?.record.arrivedAtMs ?? 0;
  return (
    !wasSteered(course, 'PUT', /\/verification-webhook$/, sinceMs) &&
    !wasSteered(course, 'PATCH', /./, sinceMs) &&
    !(channel === 'issuance' && isRegisteredSince(course, sinceMs))
  );
}

function isRegisteredSince({ exchanges }: Course, ms: number): boolean {
  return exchanges.some(({ endpoint, sentAtMs }) => endpoint?.name === 'webhook-registration' && sentAtMs >= ms);
}

/** Judges the first retry of an event whose first attempt was answered so, as soon as its instant has passed. Sections 6.3 and 6.4. */
function retried(
  clause: HistoryPredicate['clause'],
  channel: Tried['channel'],
  isFailure: (answer: Answer) => boolean,
): HistoryPredicate {
  return ofCourse(clause, (course) =>
    course.byItself
      .filter((tried) => tried.channel === channel && isUndisturbed(tried, course))
      .map((tried) => {
        const first = firstOf(tried, course);
        if (!first) return undefined;
        const [due = Infinity] = first.map(({ to }) => to + firstRetrySeconds);
        const isDueNow = due > course.move.from && due <= course.move.to;
        const isFailed = haveFailed(first) && first.every(({ record }) => isFailure(record.answer));
        if (!isDueNow || !isFailed || mayBeStopped(tried, first, course)) return undefined;
        const beside = first.map(({ record }) => record);
        return judged(tried.attempts.length > first.length, () => ({
          expected: `a retry within ${firstRetrySeconds} s after the answer ${String(beside[0]?.answer)}`,
          actual: 'none',
          beside,
        }));
      }),
  );
}

/** Whether several failures, of an event or of others beside it, may have opened the breaker of its channel before it was due again. */
function mayBeStopped({ channel, attempts }: Tried, failed: readonly Attempt[], course: Course): boolean {
  const isAlone = course.deliveries.length - testsIn(course) === attempts.length;
  return channel === 'issuance' && (!isAlone || failed.length > 1);
}

function testsIn({ deliveries }: Course): number {
  return deliveries.filter(({ address }) => address?.channel !== 'issuance').length;
}

/** Judges when the attempts of an event came that none of them acknowledged, with each that comes. Section 6.4. */
function onLadder(clause: HistoryPredicate['clause'], channel: Tried['channel']): HistoryPredicate {
  return ofCourse(clause, (course) =>
    course.byItself
      .filter((tried) => tried.channel === channel && isUndisturbed(tried, course))
      .map((tried) => (partsOf(tried, course.move.atMs).now.length === 0 ? undefined : judgedLadder(tried.attempts))),
  );
}

function judgedLadder(attempts: readonly Attempt[], seen: 'all' | 'some' = 'all'): Judgement {
  const instants = instantsOf(attempts);
  const [first] = instants;
  if (!first || instants.length < 2 || !haveFailed(attempts.slice(0, -1))) return undefined;
  const seconds = instants.slice(1).map(({ from, to }) => between(from - first.to, to - first.from));
  return judged(isOnLadder(instants.slice(0, mostRetries + 1), seen), () => ({
    expected: ladderText,
    actual: `retries after ${seconds.join(', ')} s`,
    beside: instants.slice(0, -1).map(({ record }) => record),
  }));
}

function between(from: number, to: number): string {
  return Math.round(from) === Math.round(to) ? String(Math.round(from)) : `${Math.round(from)} to ${Math.round(to)}`;
}

/** Judges that the whole ladder was gone through, and nothing came behind it. */
const fiveRetries = ofCourse('webhook-delivery.five-retries', (course) =>
  course.byItself
    .filter((tried) => haveFailed(tried.attempts) && isUndisturbed(tried, course))
    .map((tried) => {
      const first = firstOf(tried, course);
      if (!first) return undefined;
      const retries = retriesAfter(first, tried.attempts.slice(first.length));
      const overAt = (first[0]?.to ?? Infinity) + wholeLadderSeconds;
      const isOver = overAt > course.move.from && overAt <= course.move.to && tried.channel === 'verification';
      const isNew = partsOf(tried, course.move.atMs).now.length > 0;
      if (!isOver && !(isNew && retries > mostRetries)) return undefined;
      return judged(retries === mostRetries, () => ({ expected: `${mostRetries} retries`, actual: String(retries) }));
    }),
);

/** A duplicate bears the timestamp of its attempt, however late it comes; without fresh timestamps every arrival counts. */
function retriesAfter(first: readonly Attempt[], retries: readonly Attempt[]): number {
  const stated = new Set(retries.map(({ record }) => timestampOf(record)));
  if (stated.size <= 1) return retries.length;
  for (const { record } of first) stated.delete(timestampOf(record));
  return stated.size;
}

/** Judges that nothing follows the attempt that was acknowledged: the first one, or a retry. */
function stopped(clause: HistoryPredicate['clause'], isOfFirst: boolean): HistoryPredicate {
  return ofCourse(clause, (course) =>
    course.byItself
      .filter((tried) => isUndisturbed(tried, course))
      .map((tried) => {
        const { before, now } = partsOf(tried, course.move.atMs);
        const acknowledged = acknowledgedIn(before);
        if (!acknowledged || acknowledged.record.arrivedAtMs > course.quietMs) return undefined;
        if (firstOf(tried, course)?.includes(acknowledged) !== isOfFirst) return undefined;
        // What comes twice may do so late, and more than once; a retry comes at its instant.
        const instants = instantsOf(before);
        const upToThis = instants.slice(0, instants.indexOf(acknowledged) + 1);
        const isRetry = now.some((attempt) => isOnLadder([...upToThis, attempt], 'first'));
        if (!isRetry) return acknowledged.to + firstRetrySeconds <= course.move.to ? 'holds' : undefined;
        return {
          expected: `no attempt after the ${String(acknowledged.record.answer)}`,
          actual: `${now.length} more`,
          beside: [acknowledged.record, ...now.map(({ record }) => record)],
        };
      }),
  );
}

/** The first attempt that was acknowledged with all its immediate duplicates, each of which may be retried for itself. */
function acknowledgedIn(attempts: readonly Attempt[]): Attempt | undefined {
  const instants = instantsOf(attempts);
  return instants.find((instant, at) => {
    const next = instants[at + 1];
    const same = attempts.slice(attempts.indexOf(instant), next ? attempts.indexOf(next) : undefined);
    return same.every(({ record }) => isAcknowledged(record) === true);
  });
}

/** Judges the timestamps of what came since the move before the last: an attempt is of the time at which it is made. */
const trueTimestamp = ofCourse('webhook-delivery.timestamp-header', (course) => {
  // A retry with the timestamp of an attempt before it is another clause's, also where it was pushed by hand.
  const stale = new Set(
    course.tried.flatMap(({ attempts }) => {
      const stated = attempts.map(({ record }) => timestampOf(record));
      return attempts.filter((_, at) => stated.indexOf(stated[at]) < at).map(({ record }) => record);
    }),
  );
  return course.deliveries
    .filter((record) => record.arrivedAtMs > course.quietMs && !stale.has(record) && !wasUnderWay(record, course))
    .map((record) => judgedTime(record, course));
});

/** How soon after a move of the clock, in milliseconds, an attempt comes that a control API may have overlooked, as it was under way. */
const overlookedMs = 1000;

/** Whether an attempt may be of before the move that has ended just before it came. */
function wasUnderWay(record: DeliveryRecord, course: Course): boolean {
  const { clock, quietMs } = course;
  const [before, stated] = [clock.moves.at(-2), timestampOf(record)];
  if (!before || stated === undefined || record.arrivedAtMs > quietMs + overlookedMs) return false;
  if (isAskedAfter(course, record, quietMs)) return false;
  return stated >= before.from - nearSeconds && stated < before.to;
}

function judgedTime(record: DeliveryRecord, { move }: Course): Judgement {
  const stated = timestampOf(record);
  const until = record.arrivedAtMs >= move.atMs ? move.to : move.from;
  if (stated === undefined) return undefined;
  const isTrue = stated >= move.from - nearSeconds && stated <= until + nearSeconds;
  return judged(isTrue, () => ({
    expected: `the Unix seconds of the attempt, ${between(move.from, until)}`,
    actual: String(stated),
    beside: [record],
  }));
}

/** How far a time may lie from a clock that is known. */
const nearSeconds = 5;

/** When the first retry is due: what comes before that comes twice, which it may, be it after the clock was moved. */
const surelyLaterSeconds = 60;

/** Judges that a retry, or an attempt that was pushed by hand, does not bear the timestamp of an attempt before it. */
const freshTimestamp = ofCourse('webhook-delivery.fresh-timestamp-on-retry', (course) => {
  const { move, quietMs, steerings, tried: all } = course;
  // What is pushed may arrive before the clock is asked to let all become quiet.
  const pushed = steerings.find(({ path, atMs }) => path.endsWith('/redeliver') && atMs >= quietMs);
  const sinceMs = Math.min(move.atMs, pushed?.atMs ?? Infinity);
  return all.map((tried) => {
    const { before, now } = partsOf(tried, sinceMs);
    const last = before.at(-1);
    const isLater = last !== undefined && move.to - latestSeconds(last) >= surelyLaterSeconds;
    if (now.length === 0 || !isLater || last.record.arrivedAtMs > quietMs || !haveFailed(before)) return undefined;
    // What a breaker held back goes out as the address is registered again, at the instant that it was refused at.
    if (tried.channel === 'issuance' && isRegisteredSince(course, last.record.arrivedAtMs)) return undefined;
    const judgement = judgedFresh(before, now);
    // Where no retry comes, what comes may be an attempt for the second time.
    return judgement === 'holds' || !mayBeStopped(tried, before, course) ? judgement : undefined;
  });
});

/** When an attempt was made at the latest: when it says, where that may be true. */
function latestSeconds({ record, from, to }: Attempt): number {
  const stated = timestampOf(record);
  return stated !== undefined && stated >= from && stated <= to ? stated : to;
}

function judgedFresh(before: readonly Attempt[], now: readonly Attempt[]): Judgement {
  const known = new Set(before.map(({ record }) => timestampOf(record)));
  const stated = now.map(({ record }) => timestampOf(record));
  if (stated.includes(undefined)) return undefined;
  return judged(
    stated.some((timestamp) => !known.has(timestamp)),
    () => ({
      expected: 'the retry with a timestamp of its own',
      actual: `${stated.join(', ')} once more`,
      beside: [...before, ...now].map(({ record }) => record),
    }),
  );
}

/** Attempts to deliver an event, on a clock that the suite has moved. Sections 6.1, 6.3 and 6.4. */
export const attemptsByClock: readonly HistoryPredicate[] = [
  retried(
    'webhook-delivery.other-status-retried',
    'verification',
    (answer) => typeof answer === 'number' && (answer < 200 || answer > 299),
  ),
  retried('webhook-delivery.redirect-not-followed', 'verification', (answer) =>
    [301, 302, 303, 307, 308].some((status) => status === answer),
  ),
  retried('webhook-delivery.broken-connection-retried', 'verification', (answer) => answer === 'hang-up'),
  retried('webhook-delivery.issuance-retried', 'issuance', (answer) => typeof answer === 'number'),
  onLadder('webhook-delivery.retry-delays', 'verification'),
  onLadder('webhook-delivery.issuance-retried', 'issuance'),
  fiveRetries,
  stopped('webhook-delivery.acknowledged-by-any-2xx', true),
  stopped('webhook-delivery.retries-stop-when-acknowledged', false),
  trueTimestamp,
  freshTimestamp,
];

/** Judges an attempt by those before it, where the system's clock goes: what a receiver stored, or a run waited for. */
function inRealTime(
  clause: HistoryPredicate['clause'],
  judge: (latest: Attempt, attempts: readonly Attempt[], tried: Tried) => Judgement,
): HistoryPredicate {
  return ofHistory(clause, 'event', (latest, earlier) => {
    if (latest.kind !== 'delivery' || latest.nowSeconds === undefined) return undefined;
    const before = earlier.filter((record) => record.kind === 'delivery');
    const tried = triedAmong([...before, latest], ({ arrivedAtMs }) => {
      return { from: arrivedAtMs / 1000, to: arrivedAtMs / 1000 };
    }).find(({ attempts }) => attempts.some(({ record }) => record === latest));
    const attempt = tried?.attempts.at(-1);
    return tried && attempt?.record === latest ? judge(attempt, tried.attempts.slice(0, -1), tried) : undefined;
  });
}

/** A duplicate that comes later than that was not sent at once. */
const atOnceSeconds = 30;

/** How far a timestamp may lie from the arrival of its delivery, where the clocks were measured. */
const farSeconds = 120;

/** The same where nobody can move the clock. What was not seen may have come all the same. */
export const attemptsInRealTime: readonly HistoryPredicate[] = [
  ...(['verification', 'issuance'] as const).map((channel) =>
    inRealTime(
      channel === 'issuance' ? 'webhook-delivery.issuance-retried' : 'webhook-delivery.retry-delays',
      (_, __, tried) => (tried.channel === channel ? judgedLadder(tried.attempts, 'some') : undefined),
    ),
  ),
  inRealTime('webhook-delivery.five-retries', (_, __, { attempts }) => {
    const retries = instantsOf(attempts).length - 1;
    if (retries < mostRetries || !haveFailed(attempts)) return undefined;
    return judged(retries === mostRetries, () => ({ expected: `${mostRetries} retries`, actual: String(retries) }));
  }),
  inRealTime('webhook-delivery.retries-stop-when-acknowledged', (latest, before) => {
    const acknowledged = before.find(({ record }) => isAcknowledged(record) === true);
    if (!acknowledged) return before.length > 0 && isAcknowledged(latest.record) === true ? 'holds' : undefined;
    // What comes twice may do so late; a retry comes at its instant.
    const isLate = latest.from - acknowledged.to > atOnceSeconds;
    if (!isLate || !isOnLadder(instantsOf([...before, latest]), 'first')) return undefined;
    return {
      expected: 'no attempt after the acknowledgement',
      actual: `one after ${Math.round(latest.from - acknowledged.to)} s`,
      beside: [acknowledged.record],
    };
  }),
  inRealTime('webhook-delivery.fresh-timestamp-on-retry', (latest, before) => {
    const last = before.at(-1);
    return last && latest.from - last.to > atOnceSeconds ? judgedFresh(before, [latest]) : undefined;
  }),
  ofHistory('webhook-delivery.true-times', 'event', (latest, earlier) => {
    if (latest.kind !== 'delivery' || latest.nowSeconds === undefined || earlier.length > 0) return undefined;
    const stated = timestampOf(latest);
    if (stated === undefined) return undefined;
    return judged(Math.abs(stated - latest.nowSeconds) <= farSeconds, () => ({
      expected: `about ${latest.nowSeconds}`,
      actual: String(stated),
    }));
  }),
];
