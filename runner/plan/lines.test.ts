import { expect, test, describe } from 'vitest';
import { costBy } from '../../contract/endpoints.ts';
import { announcement, savingText, topicLines, roomFor, budgetLine, deadlineOf } from './lines.ts';

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

  test('a run may take twice as long as announced, a minute at least; one without a ceiling is not announced', () => {
    const minutesOf = (planned: number, maxRps: number): number =>
      ((deadlineOf(planned, maxRps, 0)?.atMs ?? 0) - Date.now()) / 60_000;
    expect(minutesOf(600, 5)).toBeCloseTo(4, 1);
    expect(minutesOf(0, 5)).toBeCloseTo(2, 1);
    expect(deadlineOf(600, 0, 0)).toBeUndefined();
  });
});
