import { limits } from '../contract/limits.ts';

/**
 * How long to wait after the `attempt`-th 429 in a row (from 0), in milliseconds: 1 s, doubling to 30 s, of which jitter
 * takes up to half away. `random` gives a number from 0 up to 1. Section 7.2.
 */
export function backoffMs(attempt: number, random: () => number): number {
  const fullMs = Math.min(limits.backoffFirstSeconds * 2 ** attempt, limits.backoffLastSeconds) * 1000;
  return fullMs * (1 - random() / 2);
}
