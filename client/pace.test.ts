import { expect, test } from 'vitest';
import { backoffMs, paceOf } from './pace.ts';

test('rate-limit.client-backs-off: the backoff after a 429 doubles from 1 s to 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, () => 0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
});

test('jitter takes at most half of the backoff away', () => {
  expect(backoffMs(3, () => 0.999)).toBeGreaterThanOrEqual(4000);
  expect(backoffMs(3, () => 0.999)).toBeLessThan(4100);
});

test('a ceiling of 100 requests a second spaces requests by 10 ms, the first one included', async () => {
  const started = performance.now();
  const pace = paceOf(100);
  await Promise.all([pace(), pace(), pace(), pace()]);
  expect(performance.now() - started).toBeGreaterThanOrEqual(39);
});

test('without a ceiling nothing waits', async () => {
  const started = performance.now();
  const pace = paceOf(0);
  for (let sent = 0; sent < 1000; sent++) await pace();
  expect(performance.now() - started).toBeLessThan(500);
});
