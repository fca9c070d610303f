import { describe, expect, test } from 'vitest';
import type { Observations } from '../../schemas/results.ts';
import type { CollectedCheck, CostTable } from './costs.ts';
import { furtherChecks, mostFurther, type Further } from './purchase.ts';

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
