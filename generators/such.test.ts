import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NoInstance, such } from './named.ts';

test('only values that fit are given', () => {
  const even = such(fc.nat(), (value) => value % 2 === 0, 'even number');
  expect(fc.sample(even, 200).every((value) => value % 2 === 0)).toBe(true);
});

test('a search for what there is not ends with an error that names it', () => {
  const never = such(fc.nat(), () => false, 'number that is none');
  expect(() => fc.sample(never, 1)).toThrow(NoInstance);
  expect(() => fc.sample(never, 1)).toThrow('No number that is none among 2000 generated values');
});
