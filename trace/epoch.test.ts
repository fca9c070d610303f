import { expect, test } from 'vitest';
import { epochMs } from './epoch.ts';

test('the time is that of the system, to the hundredth of a millisecond, and never goes back', () => {
  const times = Array.from({ length: 1000 }, epochMs);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times.map((time) => Math.round(time * 100) / 100)).toEqual(times);
  expect(Math.abs(Date.now() - epochMs())).toBeLessThan(1000);
});
