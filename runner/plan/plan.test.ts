import { expect, test, describe } from 'vitest';
import { costTable, type CollectedCheck, type CostTable, checkCost, planOf, waitsOf } from './costs.ts';
import { orderTable, purchase, furtherChecks, mostFurther, type Further, type Order } from './purchase.ts';
import type { Observations } from '../../schemas/results.ts';
import { costBy } from '../../contract/endpoints.ts';
import { announcement, savingText, topicLines, roomFor, budgetLine, deadlineOf } from './command.ts';

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

test('checks in turn wait for each answer and each outcome, those made abreast for all that are under way at once', () => {
  const cases = { oneApplication: { requests: [0, 0, 1], invoices: [0, 0, 1], cancellations: [2] } };
  const costs = { ...table, checks: { 'echo.a: in turn': cases, 'echo.a: abreast': cases } };
  const inTurn = checkOf('echo.a', 'in turn', { cases: 10, waitSeconds: 60 });
  const abreast = checkOf('echo.a', 'abreast', { cases: 10, waitSeconds: 540, isAbreast: true });
  const delays = { answerMs: 800, settlementMs: 5_000, requests: 8, checks: 12 };
  const waits = (...some: CollectedCheck[]) => waitsOf(some, costs, 'oneApplication', delays);
  expect(waits(inTurn)).toEqual({ answerMs: 800, waitSeconds: 60 + 60 });
  expect(waits(abreast)).toEqual({ answerMs: 100, waitSeconds: 540 + 5 });
  expect(waits(abreast, abreast)).toEqual({ answerMs: 100, waitSeconds: 540 + 10 });
  expect(waits(abreast, inTurn)).toEqual({ answerMs: 450, waitSeconds: 540 + 60 + 65 });
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

  test('what checks share that no order tells of is paid for once, and not at all where a check in the order has it', () => {
    const shares = { answers: { requests: 50 } };
    const row = (requests: number[]) => ({ oneApplication: { requests, uses: ['answers'] } });
    const reading = { 'echo.a: a': row([0, 0, 0]), 'echo.b: b': row([0, 0, 0]), 'echo.c: c': row([0, 0, 0]) };
    const sharing = { ...table, shares, checks: { ...table.checks, ...reading } };
    const some = checks.slice(0, 3);
    const boughtBy = (own: Order) =>
      purchase(some, { table: sharing, way: 'oneApplication', order: own, most: 60, numRuns: 1 });
    expect(boughtBy({})).toMatchObject({ unbought: [], planned: 50 });
    expect(boughtBy({ 'echo.a: a': 50 })).toMatchObject({ unbought: [], planned: 50 });
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

describe('lines', () => {
  const cost = (some: object) => ({ ...costBy(() => 0), ...some });
  const left = { companies: 2, certificates: 2, invoices: 30.6, cancellations: 8.2, addresses: 1 };

  test('a run is announced with its requests, its duration and what it leaves', () => {
    const lines = announcement(cost({ requests: 1234.4, ...left }), { maxRps: 5, answerMs: 40, waitSeconds: 0 });
    expect(lines).toEqual([
      'About 1,234 requests at 5 a second, about 5 min; 2,551 at most.',
      'It leaves at the target about 2 companies, 31 invoices (8 cancelled), 1 address; npm test -- --plan says what saves which.',
    ]);
  });

  test('a run that leaves nothing says nothing of that', () => {
    expect(announcement(cost({ requests: 10 }), { maxRps: 0, answerMs: 0, waitSeconds: 0 })).toEqual([
      'About 10 requests; 715 at most.',
    ]);
  });

  test('each topic has a row, with what is asked before and a row for all', () => {
    const topics = new Map([
      ['echo', cost({ requests: 12 })],
      ['subscription', cost({ requests: 0.2 })],
      ['nfe-issuance', cost({ requests: 1100.4, invoices: 3 })],
    ]);
    const plan = { cost: cost({ requests: 1112.4, invoices: 3 }), topics, waitSeconds: 0, unmeasured: [] };
    expect(topicLines(cost({ requests: 20, companies: 2 }), plan)).toEqual([
      'topic                   requests  companies  certificates  addresses  invoices  cancellations',
      'before the first check        20          2             ·          ·         ·              ·',
      'echo                          12          ·             ·          ·         ·              ·',
      'nfe-issuance               1,100          ·             ·          ·         3              ·',
      '─────────────────────────────────────────────────────────────────────────────────────────────',
      'all                        1,132          2             ·          ·         3              ·',
    ]);
  });

  test.each([
    ['1 company, 1 certificate', cost({ companies: 1, certificates: 1 }), 0],
    ['120 requests, 4 invoices, 2 min', cost({ requests: 120, invoices: 4 }), 2],
    [undefined, cost({ requests: 0.3 }), 0],
  ])('a saving reads %s', (text, saved, minutes) => {
    expect(savingText(saved, minutes)).toBe(text);
  });
});

describe('budget', () => {
  test('the budget of a run leaves half as many requests more, and 700', () => {
    expect(roomFor(7292)).toBe(11_638);
    expect(roomFor(1)).toBe(702);
  });

  test.each([
    [7292, 5, 'About 7,292 requests at 5 a second, about 25 min; 11,638 at most.'],
    [7292, 0.1, 'About 7,292 requests at 0.1 a second, about 1,216 min; 11,638 at most.'],
    [7292, 0, 'About 7,292 requests; 11,638 at most.'],
    [1, 0, 'About 1 request; 702 at most.'],
  ])('%d requests, %d a second: %s', (planned, maxRps, line) => {
    expect(budgetLine(planned, maxRps)).toBe(line);
  });

  test('where answers take longer than the ceiling allows for, they tell how long a run will take', () => {
    expect(budgetLine(600, 5, 1_000)).toBe('About 600 requests at 5 a second, about 10 min; 1,600 at most.');
    expect(budgetLine(600, 5, 50)).toContain('about 2 min');
  });

  test('what is waited for in real time is announced, too', () => {
    expect(budgetLine(600, 5, 0, 540)).toContain('about 11 min');
  });

  test('a run may take twice as long as announced, five minutes more at least; one without a ceiling is not announced', () => {
    const minutesOf = (planned: number, maxRps: number): number =>
      ((deadlineOf(planned, maxRps, { fastestMs: 0, meanMs: 0 })?.atMs ?? 0) - Date.now()) / 60_000;
    expect(minutesOf(6000, 5)).toBeCloseTo(40, 1);
    expect(minutesOf(600, 5)).toBeCloseTo(7, 1);
    expect(minutesOf(0, 5)).toBeCloseTo(6, 1);
    expect(deadlineOf(600, 0, { fastestMs: 0, meanMs: 0 })).toBeUndefined();
  });

  test('where answers take now 10 ms and now 600, a run may take as long as their mean makes of it', () => {
    const deadline = deadlineOf(2300, 1000, { fastestMs: 10, meanMs: 300 });
    expect(deadline).toMatchObject({ announcedMinutes: 1, takenMinutes: 24 });
  });
});
