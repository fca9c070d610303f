import { expect, test } from 'vitest';
import { sampleOutcome } from '../../reports/sample-run.ts';
import { seenOf } from './in-passing.ts';

const over = [{ name: 'endpoint' as const, values: 3 }];

test('what passed by is counted by records, and what no record shows by the cases of the checks', () => {
  const outcomes = [sampleOutcome('echo.a', { cases: 10, distinctCases: 8 }), sampleOutcome('echo.b', { cases: 5 })];
  expect(seenOf(outcomes, new Map([['echo.a', { right: 299, over }]]))).toEqual({
    'echo.a': { right: 299, wrong: 0, over, bound95: 0.00997 },
    'echo.b': { right: 5, wrong: 0, bound95: 0.451 },
  });
});

test('where checks made more cases than records tell of, their cases count', () => {
  const seen = seenOf([sampleOutcome('echo.a', { cases: 10 })], new Map([['echo.a', { right: 1, over: [] }]]));
  expect(seen['echo.a']).toMatchObject({ right: 10 });
});

test('a record that breaks a clause counts, whatever its checks came to', () => {
  const tally = { right: 99, records: new Set([7]), over: [] };
  const seen = seenOf([sampleOutcome('echo.a', { cases: 1000 })], new Map([['echo.a', tally]]));
  expect(seen['echo.a']).toEqual({ right: 99, wrong: 1, bound95: 0.0466 });
});

test('a check that was not exercised says nothing', () => {
  expect(seenOf([sampleOutcome('echo.a', { state: 'not-exercised', cases: 0 })], new Map())).toEqual({});
});
