import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '../contract/limits.ts';

/** Resolves when the next request may go out. */
export type Pace = () => Promise<void>;

/** Keeps to `maxRps` requests a second, evenly spaced from the start; 0 sets no ceiling. */
export function paceOf(maxRps: number): Pace {
  if (maxRps === 0) return () => Promise.resolve();
  const intervalMs = 1000 / maxRps;
  let nextMs = performance.now() + intervalMs;
  return async () => {
    const waitMs = nextMs - performance.now();
    nextMs = Math.max(nextMs, performance.now()) + intervalMs;
    if (waitMs > 0) await sleep(waitMs);
  };
}

/**
 * How long to wait after the `attempt`-th 429 in a row (from 0), in milliseconds: 1 s, doubling to 30 s, of which jitter
 * takes up to half away. `random` gives a number from 0 up to 1. Section 7.2.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(limits.backoffFirstSeconds * 2 ** attempt, limits.backoffLastSeconds) * 1000;
  return fullMs * (1 - random() / 2);
}
