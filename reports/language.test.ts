import { expect, test } from 'vitest';
import { counted, duration, figure, testedText, utc } from './language.ts';
import { leftBehind } from '../contract/endpoints.ts';
import { leftLine } from './summary-words.ts';
import { sampleResults } from './testing/sample-run.ts';
import { shortened, visible } from './visible.ts';

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

const sample = sampleResults();
const { target: tested } = sample;

test('what was tested is told in some 400 characters, however long the names are', () => {
  const long = { ...tested, baseUrl: 'x'.repeat(5_000), implementation: 'y'.repeat(5_000) };
  expect(testedText({ ...sample, target: long }).length).toBeLessThan(400);
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

test('controls, direction marks, line separators and lone surrogates are spelt out', () => {
  expect(visible('a\r\n\t\u0000\u001b\u007f\u009b\u202e\u2066\u200b\u2028\ud800z')).toBe(
    String.raw`a\r\n\t\u{0}\u{1b}\u{7f}\u{9b}\u{202e}\u{2066}\u{200b}\u{2028}\u{d800}z`,
  );
});

test('what the eye can see stays: accents, spaces, a whole emoji', () => {
  expect(visible('ação 日本 😀 – "x"')).toBe('ação 日本 😀 – "x"');
});

test('the characters to keep stay', () => {
  expect(visible('a\nb\r', '\n')).toBe('a\nb\\r');
});

test('a text that is too long is cut and says how long it was', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcdef… (7 characters in all)');
});

const left = { companies: 2, certificates: 2, addresses: 1, invoices: 31, cancellations: 8 };

test('no line tells of what nobody will find: nothing was left, or only in a simulator that the run started', () => {
  const results = { ...sampleResults(), sideEffects: left };
  expect(leftLine({ ...results, sideEffects: leftBehind(() => 0) })).toBeUndefined();
  expect(leftLine({ ...results, target: { ...results.target, kind: 'embedded' } })).toBeUndefined();
});
