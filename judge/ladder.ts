import { limits } from '../contract/limits.ts';
import { retryInstantsSeconds } from '../contract/retry-ladder.ts';
import type { ClockSpan } from './clock.ts';

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
 * Whether attempts of one event lie on the instants of the retries, by one of the two readings as a whole. `mayMiss`: some of
 * them, the first among them, may not have been seen.
 */
export function isOnLadder(attempts: readonly ClockSpan[], mayMiss = false): boolean {
  const fits = (isEachAfterLast: boolean, at: number, before: readonly number[]): boolean => {
    const attempt = attempts[at];
    if (!attempt || at > mostRetries) return true;
    const [instants = []] = isEachAfterLast ? places : places.slice(1);
    const since = isEachAfterLast ? at - 1 : 0;
    const [origin, base] = [attempts[since], before[since]];
    const next = (before.at(-1) ?? -1) + 1;
    const reachable = mayMiss ? instants.keys().filter((place) => place >= next) : [next].values();
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
