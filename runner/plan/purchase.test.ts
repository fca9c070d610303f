import { expect, test } from 'vitest';
import { costTable, type CollectedCheck, type CostTable } from './costs.ts';
import { orderTable, purchase } from './purchase.ts';

const names = ['a', 'b', 'c', 'd'];
const checks = names.map((title): CollectedCheck => ({
  id: title,
  run: 'sandbox',
  clause: `echo.${title}`,
  tries: { title, cases: 10, examples: 2, isCut: false, waitSeconds: 0 },
}));
const lacking: CollectedCheck = { id: 'e', run: 'sandbox', clause: 'echo.e' };

/** Each check sends one request anyway and two a case. */
const table: CostTable = {
  questions: { oneApplication: 0, ownApplications: 0 },
  shares: {},
  checks: Object.fromEntries(
    names.map((title) => [`echo.${title}: ${title}`, { oneApplication: { requests: [1, 2, 2] } }]),
  ),
};
const order = { 'echo.c: c': 3, 'echo.a: a': 3, 'echo.d: d': 3 };
const bought = (most: number) =>
  purchase([...checks, lacking], { table, way: 'oneApplication', order, most, numRuns: 100 });

test('a budget buys first one case of each check, those first that tell most', () => {
  expect(bought(8)).toEqual({ numRuns: 1, mostExamples: 1, unbought: ['echo.d: d', 'echo.b: b'], planned: 6 });
});

test('a check that no order tells of comes last, and what can’t be made is not bought', () => {
  expect(bought(11).unbought).toEqual(['echo.b: b']);
});

test('once all checks are bought, more cases of each are', () => {
  expect(bought(60)).toEqual({ numRuns: 6, mostExamples: 6, unbought: [], planned: 52 });
});

test('a part of the budget stays for what failures cost', () => {
  for (const most of [10, 50, 100, 500]) expect(bought(most).planned).toBeLessThanOrEqual(most * 0.95);
});

test('no budget buys more cases than were asked for', () => {
  expect(bought(100_000).numRuns).toBe(100);
});

test.each(Object.entries(orderTable))('the order of %s names checks that there are', (_, own) => {
  expect(Object.keys(own).filter((name) => costTable.checks[name] === undefined)).toEqual([]);
});
