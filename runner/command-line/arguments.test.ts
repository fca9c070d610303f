import { expect, test } from 'vitest';
import { ArgumentError } from './argument-error.ts';
import { readArguments } from './arguments.ts';

test.each([
  [['--budget', '600'], 600],
  [['--first-look'], 150],
  [[], undefined],
])('%j asks for a budget of %s requests', (words, budget) => {
  expect(readArguments(words).budget).toBe(budget);
});

test.each([
  [['--budget', '49'], /--budget takes a number of requests, 50 or more, not 49/],
  [['--budget', 'many'], /--budget takes a number of requests/],
  [['--budget', '600', '--first-look'], /--first-look is --budget 150: give one of them/],
])('%j is refused, and says what to write', (words, why) => {
  expect(() => readArguments(words)).toThrow(ArgumentError);
  expect(() => readArguments(words)).toThrow(why);
});
