import { expect, test } from 'vitest';
import { emptyTally, withEnded, withFile, type Tally, timeLeftMs } from './tally.ts';

/** Ten checks of 100 requests each. */
const begun: Tally = withFile(
  { ...emptyTally(['echo.body']), files: ['echo.spec.ts'] },
  'echo.spec.ts',
  Array.from({ length: 10 }, (_, index) => ({ id: `${index}`, clause: 'echo.body', requests: 100 })),
);

function afterChecks(count: number, elapsedMs: number): Tally {
  return Array.from({ length: count }, (_, index) => `${index}`).reduce(
    (tally, id) => withEnded(tally, id, [], elapsedMs),
    begun,
  );
}

test('the time left is unknown while a spec file has not told its checks', () => {
  const more = { ...afterChecks(5, 1000), files: ['echo.spec.ts', 'token.spec.ts'] };
  expect(timeLeftMs(more, 1000, 5)).toBeUndefined();
  expect(timeLeftMs(emptyTally([]), 0, 5)).toBeUndefined();
});

test('at first the pace alone tells the time left: 1,000 requests at 5 a second take 200 seconds', () => {
  expect(timeLeftMs(begun, 0, 5)).toBe(200_000);
});

test('what was seen counts by the part that is done, the pace for the rest', () => {
  // Half of the requests took 400 s in place of 100 s: the other half takes something between, 250 s.
  expect(timeLeftMs(afterChecks(5, 400_000), 400_000, 5)).toBe(250_000);
});

test('without a pace the time left is unknown until a quarter is done, then in proportion', () => {
  expect(timeLeftMs(afterChecks(2, 20_000), 20_000, 0)).toBeUndefined();
  expect(timeLeftMs(afterChecks(5, 50_000), 50_000, 0)).toBe(50_000);
});

test('the time left runs down between checks, and is unknown rather than negative', () => {
  const half = afterChecks(5, 50_000);
  expect(timeLeftMs(half, 80_000, 0)).toBe(20_000);
  expect(timeLeftMs(half, 100_000, 0)).toBeUndefined();
  expect(timeLeftMs(afterChecks(10, 100_000), 100_000, 5)).toBeUndefined();
});

test('a run whose checks all lack what they need has no time left to tell', () => {
  const idle = withFile(
    begun,
    'echo.spec.ts',
    [...begun.checks.values()].map((check) => ({ ...check, requests: 0 })),
  );
  expect(timeLeftMs(idle, 0, 5)).toBeUndefined();
  expect(timeLeftMs(idle, 0, 0)).toBeUndefined();
});
