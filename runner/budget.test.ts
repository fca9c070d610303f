import { expect, test } from 'vitest';
import { budgetFor, budgetLine } from './budget.ts';

test('the budget of a run leaves half as many requests more, and 400', () => {
  expect(budgetFor(7292)).toBe(11_338);
  expect(budgetFor(1)).toBe(402);
});

test.each([
  [7292, 5, 'About 7,292 requests at 5 a second, about 25 min; 11,338 at most.'],
  [7292, 0.1, 'About 7,292 requests at 0.1 a second, about 1,216 min; 11,338 at most.'],
  [7292, 0, 'About 7,292 requests; 11,338 at most.'],
  [1, 0, 'About 1 request; 402 at most.'],
])('%d requests, %d a second: %s', (planned, maxRps, line) => {
  expect(budgetLine(planned, maxRps)).toBe(line);
});

test.each([
  [600, 5, 0, 0, 'about 2 min'],
  [600, 5, 500, 0, 'about 5 min'],
  [600, 0, 500, 0, 'about 5 min'],
  [600, 5, 0, 540, 'about 11 min'],
])(
  '%d requests, %d a second, answered after %d ms, with waits of %d s take %s',
  (planned, maxRps, latency, waits, text) => {
    expect(budgetLine(planned, maxRps, latency, waits)).toContain(`, ${text};`);
  },
);
