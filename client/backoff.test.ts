import { expect, test } from 'vitest';
import { backoffMs } from './backoff.ts';

test('rate-limit.client-backs-off: the backoff after a 429 doubles from 1 s to 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, () => 0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
});

test('jitter takes at most half of the backoff away', () => {
  expect(backoffMs(3, () => 0.999)).toBeGreaterThanOrEqual(4000);
  expect(backoffMs(3, () => 0.999)).toBeLessThan(4100);
});
