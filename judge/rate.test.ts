import { describe, expect, test } from 'vitest';
import {
  boundOf,
  intervalOf,
  isMoreThan,
  rateText,
  triesToExclude,
  againstNetwork,
  decided,
  type SequentialTest,
} from './rate.ts';

/** Bounds in percent, by sums of binomial terms in Python: `exp(lgamma(n+1)-lgamma(i+1)-lgamma(n-i+1)+i*log(p)+(n-i)*log(1-p))`. */
const known: [number, number, number, number][] = [
  [1, 4, 0.6309, 80.588],
  [17, 174, 5.7951, 15.1818],
  [0, 10, 0, 30.8497],
  [10, 10, 69.1503, 100],
  [40, 24_000, 0.1191, 0.2269],
];

describe('the interval of a rate', () => {
  test.each(known)('%i of %i lies between %f %% and %f %%', (failed, of, low, high) => {
    const [lower, upper] = intervalOf({ failed, of });
    expect(lower * 100).toBeCloseTo(low, 2);
    expect(upper * 100).toBeCloseTo(high, 2);
  });

  test('holds the rate and is narrower where more was tried', () => {
    const [[low, high], [closerLow, closerHigh]] = [
      intervalOf({ failed: 1, of: 4 }),
      intervalOf({ failed: 25, of: 100 }),
    ];
    expect([low < closerLow, closerLow < 0.25, 0.25 < closerHigh, closerHigh < high]).toEqual([true, true, true, true]);
  });
});

test('a rate is told with its interval where some were right, and without where none was', () => {
  expect(rateText({ failed: 1, of: 4 }, 'tries')).toBe('in 1 of 4 tries: intermittent, 95 % interval 0.6 % to 81 %');
  expect(rateText({ failed: 3, of: 3 }, 'tries')).toBe('in all 3 tries');
});

test('one failure may be the way’s, and so may two of a hundred, but not two of two nor ten of a hundred', () => {
  const beyond = ([failed, of]: readonly [number, number]): boolean => isMoreThan({ failed, of }, 0.01);
  expect(
    (
      [
        [1, 1],
        [2, 100],
        [2, 2],
        [10, 100],
      ] as const
    ).map(beyond),
  ).toEqual([false, false, true, true]);
});

test.each([
  [0, 1, 0.95],
  [0, 57, 0.0512],
  [0, 299, 0.00997],
  [1, 100, 0.0466],
])('%i wrong of %i exclude a rate above %f at 95 %%', (failed, of, rate) => {
  expect(boundOf({ failed, of })).toBeCloseTo(rate, 4);
});

test('what so many tries exclude is above the true rate in at least 95 runs of 100', () => {
  for (const rate of [0.005, 0.01, 0.03, 0.1])
    for (const tries of [1, 10, 57, 300]) {
      const failures = Array.from({ length: 2000 }, (_, run) => drawn(run * 1000 + tries, tries, rate));
      const missed = failures.filter((failed) => boundOf({ failed, of: tries }) < rate).length;
      expect(missed / failures.length, `${rate} of ${tries}`).toBeLessThanOrEqual(0.06);
    }
});

/** How many of so many tries fail at that rate, by a generator of its own so that the test always draws the same. */
function drawn(seed: number, tries: number, rate: number): number {
  let state = seed + 1;
  let failed = 0;
  for (let at = 0; at < tries; at++) {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    const mixed = Math.imul(state ^ (state >>> 13), 3_266_489_917) >>> 0;
    if ((mixed ^ (mixed >>> 16)) >>> 0 < rate * 2 ** 32) failed += 1;
  }
  return failed;
}

test('so many right answers as exclude a rate have a bound of that rate, and one fewer do not', () => {
  for (const atMost of [0.5, 0.1, 0.05, 0.01, 0.001]) {
    const enough = triesToExclude({ atMost, confidence: 0.95 });
    expect(boundOf({ failed: 0, of: enough })).toBeLessThanOrEqual(atMost + 1e-9);
    expect(boundOf({ failed: 0, of: enough - 1 })).toBeGreaterThan(atMost);
  }
  expect(triesToExclude({ atMost: 0.05, confidence: 0.95 })).toBe(59);
});

/** How often a case that fails at that rate is called wrong, of so many that are put to the test; the same draws each time. */
function calledWrong(rate: number, cases: number): number {
  let state = 1729;
  const draw = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return Array.from({ length: cases }, () => outcome(againstNetwork, () => draw() < rate)).filter(Boolean).length;
}

function outcome(test: SequentialTest, fails: () => boolean): boolean {
  for (const seen = { failed: 0, passed: 0 }; ; seen[fails() ? 'failed' : 'passed'] += 1) {
    const found = decided(test, seen);
    if (found) return found === 'wrong';
  }
}

test('a case that fails each time is called wrong after two more failures, and one that never does again is not after five', () => {
  expect([1, 2].map((failed) => decided(againstNetwork, { failed, passed: 0 }))).toEqual([undefined, 'wrong']);
  expect([4, 5].map((passed) => decided(againstNetwork, { failed: 0, passed }))).toEqual([undefined, 'honest']);
});

test('what an honest network fails is called wrong no more often than is said', () => {
  expect(calledWrong(againstNetwork.honest, 100_000)).toBeLessThanOrEqual(100_000 * againstNetwork.accused);
});

test('a wrong target is let go no more often than is said', () => {
  expect(calledWrong(againstNetwork.wrong, 100_000)).toBeGreaterThanOrEqual(100_000 * (1 - againstNetwork.missed));
});
