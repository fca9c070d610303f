import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test.each([
  [{ a: [1, 'x'] }, '{"a":[1,"x"]}'],
  [undefined, 'absent'],
  [JSON.parse('['.repeat(50_000) + ']'.repeat(50_000)), 'an array of 1 items'],
  [JSON.parse('{"a":'.repeat(50_000) + '0' + '}'.repeat(50_000)), 'an object of too many levels'],
])('a value is told as its JSON, one that is nested too deep as what it is', (value, text) => {
  expect(jsonText(value)).toBe(text);
});
