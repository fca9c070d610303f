import { describe, expect, test } from 'vitest';
import type { ObservedLadder } from '../../../schemas/observed.ts';
import { nearestReading, offsetSeconds, placeOnLine } from './retries.ts';

function ladder(retriesSeconds: number[]): ObservedLadder {
  return { channel: 'issuance', source: 'real-time', retriesSeconds, watchedSeconds: 36_000 };
}

describe('the nearest reading', () => {
  test.each([
    ['each after the one before', [61, 365, 2170]],
    ['all after the first', [60, 301, 1800, 7205, 21_610]],
    ['all after the first', [2, 200]],
    [undefined, [70]],
    [undefined, []],
  ])('is %s of %j', (reading, retriesSeconds) => {
    expect(nearestReading(retriesSeconds)).toBe(reading);
  });
});

test('an offset is counted from the instant of the nearest reading; a sixth retry has none', () => {
  const late = ladder([58, 365, 2170, 9360, 31_000, 40_000]);
  expect([0, 1, 2, 3, 4, 5].map((at) => offsetSeconds(late, at))).toEqual([-2, 5, 10, 0, 40, undefined]);
  expect(offsetSeconds(ladder([60]), 1)).toBeUndefined();
});

test('the line begins at 0 %, ends at 100 %, and leaves both minutes and hours room', () => {
  const places = [0, 60, 300, 1800, 7200, 21_600, 30_960, 99_999].map((seconds) => placeOnLine(seconds, 30_960));
  expect([places[0], ...places.slice(-2)]).toEqual([0, 100, 100]);
  const gaps = places.slice(1, 6).map((place, at) => place - (places[at] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(12);
});
