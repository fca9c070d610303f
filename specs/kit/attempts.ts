import { limits } from '../../contract/limits.ts';
import { retryInstantsSeconds } from '../../contract/retry-ladder.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import type { ObservedLadder } from '../../schemas/results.ts';
import type { ClockedCaller } from '../../targets/target.ts';
import { lacking } from './callbacks.ts';
import type { Trial } from './trial.ts';

/** Delays of the retries, each after the one before it. Section 6.4. */
export const retryDelaysSeconds = limits.webhookRetryDelaysSeconds;

/** A day and more: no retry is due any more. */
export const beyondRetriesSeconds = 36 * 60 * 60;

/** How far from its instant an attempt may lie: a tenth of the delay, or 5 s. */
const toleranceShare = 0.1;
const leastToleranceSeconds = 5;

/** Long enough for the last retry by either reading. */
const watchSeconds = 10 * 60 * 60;

/** Watches all retries on the caller's clock and notes them: in seconds after the first attempt. */
export async function watchLadder(
  t: Trial,
  channel: ObservedLadder['channel'],
  caller: ClockedCaller,
  arrivals: () => readonly Arrival[],
): Promise<readonly number[]> {
  const times = await attemptTimes(caller, arrivals, watchSeconds);
  t.received(...arrivals());
  t.ladder({ channel, source: 'moved-clock', retriesSeconds: [...times], watchedSeconds: watchSeconds });
  return times;
}

/**
 * When the attempts after the first were made, in seconds after it: the clock is moved in steps that grow, and each new
 * arrival is dated to the step in which it came. An immediate duplicate counts as one with its attempt.
 */
async function attemptTimes(
  caller: ClockedCaller,
  arrivals: () => readonly Arrival[],
  untilSeconds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  let [seconds, last] = [0, 0];
  let seen = arrivals().length;
  while (seconds < untilSeconds) {
    const step = Math.max(2, Math.round((seconds - last) * 0.02));
    await caller.advance(step);
    seconds += step;
    const now = arrivals().length;
    if (now === seen) continue;
    seen = now;
    if (seconds - last > leastToleranceSeconds) times.push(seconds);
    last = seconds;
  }
  return times;
}

/** Whether attempts lie on the instants of the retries, by one of the two readings as a whole. */
export function isOnLadder(times: readonly number[]): boolean {
  return Object.values(retryInstantsSeconds).some((instants) =>
    times.every((time, at) => {
      const [instant = Infinity, delay = 0] = [instants[at], retryDelaysSeconds[at]];
      return Math.abs(time - instant) <= Math.max(leastToleranceSeconds, delay * toleranceShare);
    }),
  );
}

/** What the instants are to be, as a report says it. */
export const ladderText = `retries after ${retryDelaysSeconds.join(', ')} s, each from the attempt before it or all from the first`;

/** The first and all later arrivals, once time has gone beyond the last retry. That one comes has a clause of its own. */
export async function allAttempts(
  t: Trial,
  caller: ClockedCaller,
  arrivals: () => readonly Arrival[],
): Promise<readonly Arrival[]> {
  await caller.advance(beyondRetriesSeconds);
  const all = arrivals();
  t.received(...all);
  if (all.length === 0) throw lacking(t, 'an event');
  return all;
}
