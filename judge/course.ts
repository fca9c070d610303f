import { member } from '../schemas/values.ts';
import {
  type SteeringRecord,
  type TraceRecord,
  type DeliveryRecord,
  type ExchangeRecord,
  brandHeader,
} from '../trace/records.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import { askedOnce } from './history.ts';
import { broughtBy } from './delivery.ts';
import { type HistoryPredicate, type Judgement, ofHistory } from './predicate.ts';
import { limits, retryInstantsSeconds } from '../contract/values.ts';

/** A call that moved a clock: when it was under way, and from where to where it moved it, in Unix seconds. */
export interface Move {
  readonly atMs: number;
  readonly endMs: number;
  readonly from: number;
  readonly to: number;
}

/** Between which Unix seconds a clock stood. */
export interface ClockSpan {
  readonly from: number;
  readonly to: number;
}

/** The clock of an application that lives in a time of its own. */
interface OwnClock {
  readonly startSeconds: number;
  /** One after the other. */
  readonly moves: readonly Move[];
}

/** Whether that ended a move of a clock that waits for all attempts which it starts. */
export function isMove(record: TraceRecord): record is SteeringRecord {
  return isClockCall(record) && isDone(record) && member(record.json, 'wait') !== 'none';
}

function isClockCall(record: TraceRecord): record is SteeringRecord {
  return record.kind === 'steering' && /^\/applications\/[^/]+\/clock$/.test(record.path);
}

/** Whether a call of the control API was done. */
export function isDone({ status }: SteeringRecord): boolean {
  return status >= 200 && status <= 299;
}

/**
 * The clock of an application by what was done to it. `undefined` where it has none of its own, where a call may have been done
 * or not, and where a move did not wait for what it started: then it is not known when that was.
 */
export function clockOf(records: readonly TraceRecord[]): OwnClock | undefined {
  const calls = records.filter((record) => record.kind === 'steering');
  const made = calls.find(({ method, path }) => method === 'POST' && path === '/applications');
  const startSeconds = Date.parse(String(member(made?.json, 'clock'))) / 1000;
  const isUnknown = calls.some(({ status }) => status === 0 || status >= 500);
  if (!made || Number.isNaN(startSeconds) || isUnknown) return undefined;
  const moves: Move[] = [];
  for (const call of calls.filter((each) => isClockCall(each) && isDone(each))) {
    const by = member(call.json, 'advanceSeconds');
    if (!isMove(call) || typeof by !== 'number') return undefined;
    const from = moves.at(-1)?.to ?? startSeconds;
    moves.push({ atMs: call.atMs, endMs: call.atMs + call.durationMs, from, to: from + by });
  }
  return { startSeconds, moves };
}

/** Between which seconds a clock stood at that time: it moves while a call is under way. */
export function spanAt({ startSeconds, moves }: OwnClock, atMs: number): ClockSpan {
  const begun = moves.filter((move) => move.atMs <= atMs);
  const ended = begun.filter(({ endMs }) => endMs < atMs);
  return { from: ended.at(-1)?.to ?? startSeconds, to: begun.at(-1)?.to ?? startSeconds };
}

/** What an application that is ours alone, on a clock of its own, went through until its clock was moved and all was quiet again. */
export interface Course {
  readonly clock: OwnClock;
  /** The move that has just ended. */
  readonly move: Move;
  /** When the one before it had ended; the beginning where there is none. */
  readonly quietMs: number;
  readonly exchanges: readonly ExchangeRecord[];
  readonly steerings: readonly SteeringRecord[];
  readonly deliveries: readonly DeliveryRecord[];
  /** The events at each address, but for tests of an address. */
  readonly tried: readonly Tried[];
  /** The same where none was pushed again by hand; else none of them. */
  readonly byItself: readonly Tried[];
  /** How long the authority takes at most, as the application was made. */
  readonly settleSeconds: number;
}

/** The course that a record ends; `undefined` where it ends none, or not all is known that bears on deliveries. */
export const courseOf = askedOnce((latest, earlier) => (isMove(latest) ? newCourse(latest, earlier) : undefined));

function newCourse(latest: TraceRecord, earlier: readonly TraceRecord[]): Course | undefined {
  const records = [...earlier, latest];
  const steerings = records.filter((record) => record.kind === 'steering');
  const clock = clockOf(steerings);
  const move = clock?.moves.at(-1);
  if (!clock || !move) return undefined;
  const deliveries = records.filter((record) => record.kind === 'delivery');
  const tried = triedAmong(deliveries, (record) => spanAt(clock, record.arrivedAtMs));
  return {
    clock,
    move,
    quietMs: clock.moves.at(-2)?.endMs ?? 0,
    exchanges: records.filter((record) => record.kind === 'exchange'),
    steerings,
    deliveries,
    tried,
    byItself: steerings.some(({ path }) => path.endsWith('/redeliver')) ? [] : tried,
    settleSeconds: Math.max(0, ...steerings.map(({ json }) => Number(member(json, 'settleSeconds') ?? 0))),
  };
}

/** Whether something was done to an application by such a call since that time. */
export function wasSteered({ steerings }: Course, method: string, path: RegExp, sinceMs = 0): boolean {
  return steerings.some((call) => call.method === method && path.test(call.path) && call.atMs >= sinceMs);
}

/** One event at one address, with all attempts to deliver it there. */
export interface Tried {
  readonly channel: 'issuance' | 'verification';
  readonly attempts: readonly Attempt[];
}

export interface Attempt extends ClockSpan {
  readonly record: DeliveryRecord;
}

/** Deliveries by event and address; `spanOf` says between which seconds one came. */
export function triedAmong(
  deliveries: readonly DeliveryRecord[],
  spanOf: (record: DeliveryRecord) => ClockSpan,
): readonly Tried[] {
  const groups = Map.groupBy(deliveries, (record) => {
    const name = eventOf(record);
    return name === undefined || !record.address ? undefined : `${record.address.name} ${name}`;
  });
  groups.delete(undefined);
  return [...groups.values()].map((records) => ({
    channel: records[0]?.address?.channel ?? 'verification',
    attempts: attemptsOf(records, spanOf),
  }));
}

/** What tells an event from another, however its id may be wrong: the invoice that it is of, or the id in its body. */
function eventOf(record: DeliveryRecord): string | undefined {
  const { empresaId, nfeId, eventId } = record.ids;
  const brought = broughtBy(record);
  if (brought === 'callback' && empresaId !== undefined && nfeId !== undefined) return `${empresaId} ${nfeId}`;
  if (brought !== 'verdict') return undefined;
  const inBody = member(record.json, 'event_id');
  return typeof inBody === 'string' ? inBody : eventId;
}

/**
 * Attempts with their time, in its order: by their timestamps where all of these may be true, since a move of the clock may be long,
 * and a duplicate may come behind the attempt that follows.
 */
function attemptsOf(
  records: readonly DeliveryRecord[],
  spanOf: (record: DeliveryRecord) => ClockSpan,
): readonly Attempt[] {
  const attempts = records.map((record) => ({ record, ...spanOf(record) }));
  const stated = attempts.flatMap(({ record, from, to }) => {
    const own = timestampOf(record);
    return own !== undefined && own >= from && own <= to ? [{ record, from: own, to: own }] : [];
  });
  return stated.length === attempts.length ? stated.toSorted((one, other) => one.from - other.from) : attempts;
}

/** What a delivery says when it was sent, in Unix seconds; `undefined` where that is not plain decimal. */
export function timestampOf(record: DeliveryRecord): number | undefined {
  const timestamp = brandHeader(record, 'Timestamp')?.trim() ?? '';
  return /^\d{1,11}$/.test(timestamp) ? Number(timestamp) : undefined;
}

/** The attempts without immediate duplicates, which came at the same time as the one before. */
export function instantsOf(attempts: readonly Attempt[]): readonly Attempt[] {
  return attempts.filter(({ to }, at) => {
    const before = attempts[at - 1];
    return !before || to - before.from > duplicateSeconds;
  });
}

/** Attempts that lie no further apart are one that was sent twice. */
export const duplicateSeconds = 5;

/** A receiver that takes longer may have been too late. */
const promptMs = 8_000;

/** Whether a delivery was acknowledged; `undefined` where its answer is not known, or may have come too late. Section 6.3. */
export function isAcknowledged({ answer, answeredAfterMs = 0 }: DeliveryRecord): boolean | undefined {
  if (answer === undefined || answeredAfterMs > promptMs) return undefined;
  return answer !== 'hang-up' && answer >= 200 && answer <= 299;
}

/** Whether every one of them was answered otherwise than with 2xx. */
export function haveFailed(attempts: readonly Attempt[]): boolean {
  return attempts.every(({ record }) => isAcknowledged(record) === false);
}

/** Judges each course of an application by parts of it: broken where one of them is, else kept where one of them keeps it. */
export function ofCourse(clause: ClauseId, judgements: (course: Course) => readonly Judgement[]): HistoryPredicate {
  return ofHistory(clause, 'application', (latest, earlier) => {
    // Nothing else ends a course, and all predicates are asked of every record.
    const course = latest.kind === 'steering' ? courseOf(latest, earlier) : undefined;
    return course && together(judgements(course));
  });
}

function together(judgements: readonly Judgement[]): Judgement {
  return judgements.find((judgement) => judgement !== undefined && judgement !== 'holds') ?? judgements.find(Boolean);
}

const delays = limits.webhookRetryDelaysSeconds;

/** How many retries there are. Section 6.4. */
export const mostRetries = delays.length;

/** How far from its instant an attempt may lie: a tenth of its delay, or 5 s. */
function toleranceOf(delaySeconds: number): number {
  return Math.max(5, delaySeconds / 10);
}

/** When the last retry has come by either reading, in seconds after the first attempt. */
export const wholeLadderSeconds = delays.reduce((sum, delay) => sum + delay + toleranceOf(delay), 0);

/** What the instants are to be, as a finding says it. */
export const ladderText = `retries after ${delays.join(', ')} s, each from the attempt before it or all from the first`;

/** Places on the ladder by each reading: the first attempt and the five retries. */
const places = Object.values(retryInstantsSeconds).map((instants) => [0, ...instants]);

/**
 * Whether attempts of one event lie on the instants of the retries, by one of the two readings as a whole. `seen` says which of
 * them are known to be here: all of them, the first and perhaps not all that followed, or some.
 */
export function isOnLadder(attempts: readonly ClockSpan[], seen: 'all' | 'first' | 'some' = 'all'): boolean {
  const fits = (isEachAfterLast: boolean, at: number, before: readonly number[]): boolean => {
    const attempt = attempts[at];
    if (!attempt || at > mostRetries) return true;
    const [instants = []] = isEachAfterLast ? places : places.slice(1);
    const since = isEachAfterLast ? at - 1 : 0;
    const [origin, base] = [attempts[since], before[since]];
    const next = (before.at(-1) ?? -1) + 1;
    const isCertain = seen === 'all' || (seen === 'first' && at === 0);
    const reachable = isCertain ? [next].values() : instants.keys().filter((place) => place >= next);
    return reachable.some((place) => {
      if (origin && base !== undefined) {
        const delay = (instants[place] ?? Infinity) - (instants[base] ?? 0);
        const tolerance = toleranceOf(isEachAfterLast ? delay : (instants[place] ?? 0));
        const isNear = attempt.from - origin.to <= delay + tolerance && attempt.to - origin.from >= delay - tolerance;
        if (!isNear) return false;
      }
      return fits(isEachAfterLast, at + 1, [...before, place]);
    });
  };
  return fits(true, 0, []) || fits(false, 0, []);
}

/** Whether all that an application asked for in this way was asked after that time. */
export function isAskedAfter({ exchanges }: Course, { ids, address }: DeliveryRecord, ms: number): boolean {
  const asked = exchanges.filter(({ endpoint, ids: { nfeId } }) =>
    address?.channel === 'issuance'
      ? endpoint?.name === 'nfe-issuance' && nfeId === ids.nfeId
      : endpoint?.name === 'nfe-verification' || endpoint?.name === 'chave-lookup',
  );
  return asked.length > 0 && asked.every(({ sentAtMs }) => sentAtMs >= ms);
}
