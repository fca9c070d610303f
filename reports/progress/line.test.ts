import { describe, expect, test } from 'vitest';
import { type Paint, failureLine, progressLine, type Progress, isLineDue } from './line.ts';

const plain: Paint = (_, text) => text;
const marked: Paint = (colour, text) => `<${colour}>${text}</>`;
const progress: Progress = {
  clauseWord: 'must clause',
  clausesDone: 112,
  clausesAll: 290,
  failed: 0,
  warned: 0,
  requests: 4512,
  elapsedMs: 72_900,
};
const full = { ...progress, failed: 2, warned: 1, leftMs: 170_000 };

describe('the line', () => {
  test('tells clauses, requests and the time gone; the time left and failures only where there are some', () => {
    expect(progressLine(progress, plain)).toBe('112 of 290 must clauses, 4,512 requests, 1 min 12 s');
    expect(progressLine(full, plain)).toBe(
      '112 of 290 must clauses, 2 failed, 1 warned, 4,512 requests, 1 min 12 s, about 3 min left',
    );
  });

  test('shows failures in red and warnings in yellow', () => {
    expect(progressLine(full, marked)).toContain(', <red>2 failed</>, <yellow>1 warned</>, ');
  });

  test.each([
    [80, '112 of 290 must clauses, 2 failed, 4,512 requests, 1 min 12 s, about 3 min left'],
    [65, '112 of 290 must clauses, 2 failed, 1 min 12 s, about 3 min left'],
    [55, '112 of 290 must clauses, 2 failed, about 3 min left'],
    [35, '112 of 290 must clauses, 2 failed'],
    [10, '112/290'],
  ])('of %d characters keeps what matters most', (width, line) => {
    expect(progressLine(full, plain, width)).toBe(line);
  });

  test.each([
    [1, '5 s'],
    [12_000, '15 s'],
    [118_000, '2 min'],
    [3_590_000, '1 h 0 min'],
    [4_000_000, '1 h 7 min'],
  ])('%d milliseconds left read as about %s', (leftMs, words) => {
    expect(progressLine({ ...progress, leftMs }, plain)).toMatch(new RegExp(`, about ${words} left$`));
  });
});

describe('a failure', () => {
  const failure = { clause: 'echo.body', title: 'the body comes back', verdict: 'failed' } as const;

  test('is one line: what it makes of the clause, the clause, the title', () => {
    expect(failureLine(failure, marked)).toBe('<red>failed</>  echo.body  the body comes back');
    expect(failureLine({ ...failure, verdict: 'warned' }, marked)).toMatch(/^<yellow>warned<\/> {2}echo/);
    expect(failureLine({ ...failure, verdict: 'known' }, marked)).toMatch(/^known {3}echo/);
  });

  test('shows what no eye can see spelt out', () => {
    expect(failureLine({ ...failure, title: 'a\u{1b}[2J\nb' }, plain)).toBe('failed  echo.body  a\\u{1b}[2J\\nb');
  });
});

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
