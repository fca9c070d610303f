import { expect, test } from 'vitest';
import { type Progress, isLineDue } from './line.ts';

const second = 1000;
const minute = 60 * second;
const at = (elapsedMs: number, clausesDone: number): Progress => ({
  clauseWord: 'must clause',
  clausesDone,
  clausesAll: 290,
  failed: 0,
  warned: 0,
  requests: 0,
  elapsedMs,
});

/** When lines come in a run that gets on evenly, looked at four times a second. */
function lineTimes(runMs: number): number[] {
  const shown: Progress[] = [];
  for (let elapsedMs = 0; elapsedMs <= runMs; elapsedMs += 250) {
    const now = at(elapsedMs, Math.floor((290 * elapsedMs) / runMs));
    if (isLineDue(shown.at(-1), now)) shown.push(now);
  }
  return shown.map(({ elapsedMs }) => elapsedMs);
}

test('a run of twenty seconds has three lines', () => {
  expect(lineTimes(20 * second)).toEqual([0, 10 * second, 20 * second]);
});

test('a run of a minute has a line each ten seconds', () => {
  expect(lineTimes(minute)).toHaveLength(7);
});

test.each([1, 3, 8])('a run of %d hours has at most some twenty lines an hour and no long silence', (hours) => {
  const times = lineTimes(hours * 60 * minute);
  expect(times.length).toBeLessThanOrEqual(20 * hours);
  const gaps = times.map((time, index) => time - (times[index - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(4 * minute);
});

test('a line comes after four minutes in which nothing was done', () => {
  expect(isLineDue(at(0, 5), at(4 * minute - 1, 5))).toBe(false);
  expect(isLineDue(at(0, 5), at(4 * minute, 5))).toBe(true);
});

test('no line comes within ten seconds of the last, however much was done', () => {
  expect(isLineDue(at(0, 5), at(10 * second - 1, 290))).toBe(false);
});
