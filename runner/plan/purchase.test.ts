import { expect, test, describe } from 'vitest';
import { costTable, type CollectedCheck, type CostTable } from './costs.ts';
import { orderTable, purchase, furtherChecks, mostFurther, type Further } from './purchase.ts';
import type { Observations } from '../../schemas/results.ts';

describe('purchase', () => {
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
});

describe('further', () => {
  const check = (clause: string, title: string, cases: number, waitSeconds = 0): CollectedCheck => {
    return { id: title, run: 'sandbox', clause, tries: { title, cases, examples: 0, isCut: false, waitSeconds } };
  };
  const seldom = check('echo.status', 'seldom', 2);
  const often = check('echo.platform-envelope', 'often', 10);
  const leaving = check('nfe-issuance.no-content', 'leaving', 1);
  const waiting = check('echo.message-returned', 'waiting', 1, 60);
  const implied = check('subscription.not-active', 'implied', 1);
  const lacking: CollectedCheck = { id: 'e', run: 'sandbox', clause: 'echo.success-true' };
  const checks = [often, seldom, leaving, waiting, lacking, implied];

  /** Each case sends a request; one check leaves an invoice. */
  const table: CostTable = {
    questions: { oneApplication: 0, ownApplications: 0 },
    shares: {},
    checks: Object.fromEntries(
      checks.map(({ clause, tries }) => {
        const invoices = tries?.title === 'leaving' ? { invoices: [1] } : {};
        return [`${clause}: ${tries?.title}`, { oneApplication: { requests: [0, 1, 1], ...invoices } }];
      }),
    ),
  };
  const right = (count: number): Observations => ({ right: count, wrong: 0, bound95: 0.5 });
  const seen = Object.fromEntries(checks.map(({ clause, tries }) => [clause, right(tries?.cases ?? 0)]));
  /** 59 answers. */
  const bound = { atMost: 0.05, confidence: 0.95 };
  const further: Further = { bound, table, way: 'oneApplication', isKept: true, left: Infinity };
  const madeAgain = (change: Partial<Further> = {}, counts = seen) => {
    const { times } = furtherChecks(checks, counts, { ...further, ...change });
    return Object.fromEntries(
      [...Map.groupBy(times.flat(), (name) => name.check)].map(([title, names]) => [title, names.length]),
    );
  };

  describe('checks are made again', () => {
    test('so often that half of what a clause lacks is made up for', () => {
      expect(madeAgain()).toEqual({ often: 3, seldom: 15 });
    });

    test('not where a clause was seen often enough, or is broken', () => {
      const enough = {
        ...seen,
        'echo.status': right(59),
        'echo.platform-envelope': { right: 3, wrong: 1, bound95: 0.8 },
      };
      expect(madeAgain({}, enough)).toEqual({});
    });

    test('that leave something behind only where nothing stays', () => {
      expect(madeAgain({ isKept: false })).toMatchObject({ leaving: 29 });
    });

    test('first for the clauses that were seen least, as far as the requests go', () => {
      expect(madeAgain({ left: 3 })).toEqual({ seldom: 1 });
      expect(madeAgain({ left: 25 })).toEqual({ often: 2, seldom: 2 });
      expect(madeAgain({ left: 1 })).toEqual({});
    });

    test('with as many requests as are told beforehand, or fewer', () => {
      const { requests } = furtherChecks(checks, seen, further);
      expect(requests).toBe(60);
      expect(mostFurther(checks, further)).toBe(120);
    });
  });
});
