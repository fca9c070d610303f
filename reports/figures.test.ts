import { expect, test } from 'vitest';
import { counted, duration, figure, utc } from './language.ts';

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999.4, '999 ms'],
  [999.6, '1.0 s'],
  [3_449, '3.4 s'],
  [59_949, '59.9 s'],
  [59_960, '1 min 0 s'],
  [125_000, '2 min 5 s'],
  [3_599_600, '1 h 0 min'],
  [7_325_000, '2 h 2 min'],
])('%d milliseconds read as %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test('a count has its digits in groups and the noun that fits it', () => {
  expect([figure(12_345), counted(1, 'clause'), counted(0, 'clause'), counted(2, 'hit')]).toEqual([
    '12,345',
    '1 clause',
    '0 clauses',
    '2 hits',
  ]);
});

test('a time reads in UTC, and what is no time stays', () => {
  expect(utc('2026-11-21T02:00:00.123-03:00')).toBe('2026-11-21 05:00:00 UTC');
  expect(utc('last night')).toBe('last night');
});

test('in Portuguese digits are grouped by dots, and a comma stands before tenths', () => {
  expect([figure(3_607, 'pt-BR'), duration(12_345, 'pt-BR'), duration(125_000, 'pt-BR')]).toEqual([
    '3.607',
    '12,3 s',
    '2 min 5 s',
  ]);
  expect([counted(1, 'caso', 'casos', 'pt-BR'), counted(3_607, 'caso', 'casos', 'pt-BR')]).toEqual([
    '1 caso',
    '3.607 casos',
  ]);
});
