import { expect, test } from 'vitest';
import { againstNetwork, decided, type SequentialTest } from './sequential-test.ts';

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
