import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceOf } from './from-schema.ts';
import { jsonSpelling, jsonText, canonicalText, pointerTo } from './json.ts';
import { echoMessage } from './text.ts';
import type { JsonValue } from '../schemas/values.ts';

describe('json text', () => {
  const seeded = { numRuns: 2000, seed: 1729 };

  function parsed(text: string): unknown {
    return JSON.parse(text);
  }

  describe('every text parses back to the value', () => {
    test.each([
      ['any JSON value', instanceOf({})],
      ['nested values', instanceOf({ type: 'array', items: { type: 'object', properties: { a: { type: 'array' } } } })],
      ['an echo message', echoMessage().map((message) => ({ message }))],
    ])('for %s', (_what, values) => {
      const pairs = values.chain((value) => fc.tuple(fc.constant(value), jsonText(value)));
      fc.assert(
        fc.property(pairs, ([value, text]) => {
          expect(parsed(text)).toEqual(value);
          expect(text.isWellFormed()).toBe(true);
        }),
        seeded,
      );
    });

    test.each<[string, JsonValue]>([
      ['half a surrogate pair', ['\uD83D', 'a\uDE00b']],
      ['negative zero', [-0]],
      ['numbers with exponents', [1e21, 5e-324, -1.5, 0.1]],
      ['a field with a name of Object.prototype', { toString: 1, constructor: null }],
      ['empty names and containers', { '': [], a: {}, b: '' }],
      ['every ASCII character', Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('')],
    ])('for %s', (_what, value) => {
      for (const text of fc.sample(jsonText(value), 300)) {
        expect(parsed(text)).toStrictEqual(value);
        expect(text.isWellFormed()).toBe(true);
      }
    });
  });

  describe('the texts of one value vary', () => {
    const value = { b: 'ção/😀\n', a: [1, 2], c: { d: true } };
    const texts = fc.sample(jsonText(value), seeded);

    test.each([
      ['compact', /^\{"b":"ção\/😀\\n","a":\[1,2\],"c":\{"d":true\}\}$/],
      ['spaced', /", "a": \[1, 2\], "c": \{"d": true\}\}/],
      ['indented with LF and spaces', /\{\n {2}".*\n {4}.*\n {2}\]/s],
      ['indented with CRLF and spaces', /\{\r\n {2}"/],
      ['indented with LF and tabs', /\{\n\t".*\n\t\t/s],
      ['indented with CRLF and tabs', /\{\r\n\t"/],
      ['with white space before a colon', /"[ \t\r\n]+:/],
      ['with white space before a comma', /\d[ \t\r\n]+,/],
      ['with a bare CR', /\r(?!\n)/],
      ['with white space around', /^[ \t\r\n]+\{[^]*\}[ \t\r\n]+$/],
      ['with fields in another order', /"c"[^]*"b"/],
      ['with non-ASCII characters as they are', /ção/],
      ['with lower-case hex', /\\u00e7\\u00e3o/],
      ['with upper-case hex', /\\u00E7\\u00E3o/],
      ['with a surrogate pair escaped', /\\ud83d\\ude00/i],
      ['with an escaped solidus', /\\\//],
      ['with an escaped ASCII letter', /"\\u006[1-4]"/],
      ['with a line feed as hex', /\\u000a/i],
    ])('%s', (_what, pattern) => {
      expect(texts.some((text) => pattern.test(text))).toBe(true);
    });

    test('and are repeated by their seed', () => {
      expect(fc.sample(jsonText(value), seeded)).toEqual(texts);
    });

    test('and shrink to the compact text', () => {
      const { counterexample } = fc.check(
        fc.property(jsonText(value), () => false),
        seeded,
      );
      expect(counterexample?.[0]).toBe(JSON.stringify(value));
    });
  });

  describe('a spelling', () => {
    test('writes any value so that it parses back, twice in the same way', () => {
      fc.assert(
        fc.property(jsonSpelling(), instanceOf({}), (write, value) => {
          expect(parsed(write(value))).toEqual(value);
          expect(write(value)).toBe(write(value));
        }),
        seeded,
      );
    });

    test('shows in a counterexample how it writes', () => {
      const { counterexample } = fc.check(
        fc.property(jsonSpelling(), (write) => !write({ a: 1, b: 2 }).includes('\r\n')),
        seeded,
      );
      expect(fc.stringify(counterexample?.[0])).toContain(String.raw`\r\n`);
    });
  });
});

describe('json', () => {
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
});
