import { expect, test } from 'vitest';
import { costBy } from '../../contract/endpoints.ts';
import { checkCost, type CollectedCheck, type CostTable, planOf } from './costs.ts';

const table: CostTable = {
  questions: { oneApplication: 20, ownApplications: 10 },
  shares: { 'an invoice': { requests: 2, invoices: 1 } },
  checks: {
    'echo.a: by cases': { oneApplication: { requests: [3, 2, 4], invoices: [0, 0, 1] } },
    'echo.c: more without a pace': { oneApplication: { requests: [1, 0, 2, 6] } },
    'echo.b: reads': { oneApplication: { requests: [0, 0, 1], uses: ['an invoice'] }, ownApplications: {} },
    'token.a: reads': { oneApplication: { requests: [0, 0, 1], uses: ['an invoice'] } },
  },
};

function checkOf(clause: string, title: string, tries: Partial<CollectedCheck['tries']> = {}): CollectedCheck {
  const all = { title, cases: 1, examples: 0, isCut: false, waitSeconds: 0, ...tries };
  return { id: `${clause} ${title}`, run: 'r', clause, tries: all };
}

const cost = (some: object) => ({ ...costBy(() => 0), ...some });

test('a check costs what it costs anyway, and something by each example and each generated case', () => {
  const check = checkOf('echo.a', 'by cases', { cases: 10, examples: 4 });
  expect(checkCost(table, check, 'oneApplication')?.cost).toEqual(cost({ requests: 3 + 2 * 4 + 4 * 6, invoices: 6 }));
});

test.each([
  ['with a pace', {}, 1 + 2 * 3],
  ['and more by each case without one', { isUnpaced: true as const }, 1 + 2 * 3 + 6 * 3],
])('a check costs what a case sends %s', (_, pace, requests) => {
  const check = checkOf('echo.c', 'more without a pace', { cases: 3, ...pace });
  expect(checkCost(table, check, 'oneApplication')?.cost).toEqual(cost({ requests }));
});

test('what several checks share is counted once, with the first topic of the catalogue that uses it', () => {
  const plan = planOf([checkOf('echo.b', 'reads'), checkOf('token.a', 'reads')], table, 'oneApplication');
  expect(plan.cost).toEqual(cost({ requests: 4, invoices: 1 }));
  expect(Object.fromEntries(plan.topics)).toEqual({
    token: cost({ requests: 3, invoices: 1 }),
    echo: cost({ requests: 1 }),
  });
});

test('a check that can’t be made costs nothing', () => {
  const plan = planOf([{ id: 'x', run: 'r', clause: 'echo.a' }], table, 'oneApplication');
  expect([plan.cost, plan.unmeasured]).toEqual([cost({}), []]);
});

test('a check that nobody has measured that way is named, and taken to send what the others do on the average', () => {
  const checks = [checkOf('echo.a', 'by cases'), checkOf('token.a', 'reads'), checkOf('token.new', 'unheard of')];
  const plan = planOf(checks, table, 'oneApplication');
  expect(plan.unmeasured).toEqual(['token.new: unheard of']);
  expect(plan.cost.requests).toBe(7 + 3 + (7 + 3) / 2);
  expect(planOf([checkOf('echo.b', 'reads')], table, 'ownApplications').unmeasured).toEqual([]);
});

test('what checks wait for in real time adds up', () => {
  const plan = planOf(
    [checkOf('echo.a', 'by cases', { waitSeconds: 540 }), checkOf('echo.b', 'reads')],
    table,
    'oneApplication',
  );
  expect(plan.waitSeconds).toBe(540);
});
