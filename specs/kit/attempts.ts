import { limits } from '../../contract/values.ts';
import type { Arrival } from '../../trace/exchange.ts';
import type { ObservedLadder } from '../../schemas/observed.ts';
import type { ClockedCaller } from '../../targets/applications.ts';
import type { Trial } from './trial.ts';

/** Delays of the retries, each after the one before it. Section 6.4. */
export const retryDelaysSeconds = limits.webhookRetryDelaysSeconds;

/** A day and more: no retry is due any more. */
export const beyondRetriesSeconds = 36 * 60 * 60;

/** What comes again within that time is an immediate duplicate. */
const duplicateSeconds = 5;

/** Long enough for the last retry by either reading. */
const watchSeconds = 10 * 60 * 60;

/** Watches all retries on the caller's clock and notes them: in seconds after the first attempt. */
export async function watchLadder(
  t: Trial,
  channel: ObservedLadder['channel'],
  caller: ClockedCaller,
  arrivals: () => readonly Arrival[],
): Promise<void> {
  const times = await attemptTimes(caller, arrivals, watchSeconds);
  t.received(...arrivals());
  t.ladder({ channel, source: 'moved-clock', retriesSeconds: [...times], watchedSeconds: watchSeconds });
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
    const step = Math.max(2, Math.round((seconds - last) * 0.05));
    await caller.advance(step);
    seconds += step;
    const now = arrivals().length;
    if (now === seen) continue;
    seen = now;
    if (seconds - last > duplicateSeconds) times.push(seconds);
    last = seconds;
  }
  return times;
}
