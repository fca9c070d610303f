import { expect, test } from 'vitest';
import { clausesText, mustClauses, byReason } from './verdicts.ts';
import { sampleResults, sampleClause } from './testing/sample-run.ts';
import { clauseNotRun } from './judge.ts';

const { clauses } = sampleResults();

test('the must clauses of a run are those that it judges, what was withheld apart', () => {
  expect(mustClauses(clauses).map(({ id }) => id)).toEqual([
    'echo.passed',
    'echo.known',
    'echo.open',
    'retirement.before-subscription',
  ]);
});

test.each([
  [clauses, '6 must clauses, 1 other clause', '6 cláusulas obrigatórias, 1 outra cláusula'],
  [clauses.slice(0, 1), '1 must clause', '1 cláusula obrigatória'],
  [clauses.filter(({ level }) => level !== 'must'), '1 other clause', '1 outra cláusula'],
  [[], '0 must clauses', '0 cláusulas obrigatórias'],
])('clauses of every level are counted with the must clauses by themselves', (some, english, portuguese) => {
  expect([clausesText(some), clausesText(some, 'pt-BR')]).toEqual([english, portuguese]);
});

test('the reason that most clauses share stands first, and those of one reason keep their order', () => {
  const reasons = { 'echo.a': 'r', 'echo.b': 'most', 'echo.c': 's', 'echo.d': 'most' };
  const clauses = Object.entries(reasons).map(([id, reason]) => clauseNotRun(sampleClause(id), { reason }));
  expect(byReason(clauses).map((group) => [group.reason, group.clauses.map(({ id }) => id)])).toEqual([
    ['most', ['echo.b', 'echo.d']],
    ['r', ['echo.a']],
    ['s', ['echo.c']],
  ]);
});
