import { expect, test } from 'vitest';
import { roomFor, budgetLine, deadlineOf } from '../plan/lines.ts';

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
