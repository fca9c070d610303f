import { member } from '../schemas/values.ts';
import type { SteeringRecord, TraceRecord } from '../trace/records.ts';

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
export interface OwnClock {
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
