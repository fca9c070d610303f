import { expect, test } from 'vitest';
import { editDistance, nearest } from './settings.ts';

test.each([
  ['', '', 0],
  ['same', 'same', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abd', 1],
  ['abc', 'ac', 1],
  ['ac', 'abc', 1],
  ['NEF_', 'NFE_', 2],
  ['kitten', 'sitting', 3],
])('from %j to %j it takes %i edits', (one, other, edits) => {
  expect(editDistance(one, other)).toBe(edits);
});

test('the nearest candidate is found, letter case aside', () => {
  expect(nearest('ECHOS', ['echo.other', 'ecco', 'echo'], 3)).toBe('echo');
});

test('a candidate with more edits than allowed is not near', () => {
  expect(nearest('abc', ['abcde'], 1)).toBeUndefined();
});
