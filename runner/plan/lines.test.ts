import { expect, test } from 'vitest';
import { costBy } from '../../contract/endpoints.ts';
import { announcement, savingText, topicLines } from './lines.ts';

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
