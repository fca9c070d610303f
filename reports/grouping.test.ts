import { expect, test } from 'vitest';
import { byReason } from './verdicts.ts';
import { clauseNotRun } from './judge.ts';
import { sampleClause } from './testing/sample-run.ts';

test('the reason that most clauses share stands first, and those of one reason keep their order', () => {
  const reasons = { 'echo.a': 'r', 'echo.b': 'most', 'echo.c': 's', 'echo.d': 'most' };
  const clauses = Object.entries(reasons).map(([id, reason]) => clauseNotRun(sampleClause(id), { reason }));
  expect(byReason(clauses).map((group) => [group.reason, group.clauses.map(({ id }) => id)])).toEqual([
    ['most', ['echo.b', 'echo.d']],
    ['r', ['echo.a']],
    ['s', ['echo.c']],
  ]);
});
