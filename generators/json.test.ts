import { expect, test } from 'vitest';
import { canonicalText, pointerTo, type JsonValue } from './json.ts';

test.each<[JsonValue, JsonValue]>([
  [
    { a: 1, b: { c: [null], d: 'x' } },
    { b: { d: 'x', c: [null] }, a: 1 },
  ],
  [[{ a: 1, b: 2 }], [{ b: 2, a: 1 }]],
])('%j and %j have the same text', (one, other) => {
  expect(canonicalText(one)).toBe(canonicalText(other));
});

test.each<[JsonValue, JsonValue]>([
  [1, '1'],
  [null, 'null'],
  [
    [1, 2],
    [2, 1],
  ],
  [[1, 2], [[1, 2]]],
  [{ a: 1 }, { a: 1, b: null }],
  [{ 'a":1,"b': 1 }, { a: 1, b: 1 }],
  [{}, []],
])('%j and %j have different texts', (one, other) => {
  expect(canonicalText(one)).not.toBe(canonicalText(other));
});

test('a pointer escapes what is special in it', () => {
  expect(pointerTo(pointerTo(pointerTo('', 'a/b'), 'm~1n'), 0)).toBe('/a~1b/m~01n/0');
});
