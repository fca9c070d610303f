import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineBreak, lineBreaks, withLineBreaks } from './line-breaks.ts';
import { bodyText } from './text.ts';

const seeded = { numRuns: 2000, seed: 1729 };

function withoutBreaks(text: string): string {
  return text.replaceAll(/[\r\n]/g, '');
}

test('only line breaks are added, at least one, never within a character', () => {
  const pairs = bodyText().chain((text) => fc.tuple(fc.constant(text), withLineBreaks(text)));
  fc.assert(
    fc.property(pairs, ([text, broken]) => {
      expect(withoutBreaks(broken)).toBe(withoutBreaks(text));
      expect(broken.length).toBeGreaterThan(text.length);
      expect(broken.isWellFormed()).toBe(true);
    }),
    { ...seeded, numRuns: 500 },
  );
});

describe('the line breaks of "a😀b"', () => {
  const texts = fc.sample(withLineBreaks('a😀b'), seeded);

  test.each([
    ['before the text', /^[\r\n]/],
    ['behind the text', /[\r\n]$/],
    ['between the characters', /a[\r\n]+😀[\r\n]+b/],
    ['CR alone', /\r(?!\n)/],
    ['LF alone', /(?<!\r)\n/],
    ['CRLF', /\r\n/],
    ['only one', /^[^\r\n]*(\r\n|\r|\n)[^\r\n]*$/],
    ['several in one place', /\n\n/],
  ])('come %s', (_what, pattern) => {
    expect(texts.some((text) => pattern.test(text))).toBe(true);
  });
});

test('an empty text becomes line breaks', () => {
  expect(fc.sample(withLineBreaks(''), seeded).every((text) => /^[\r\n]+$/.test(text))).toBe(true);
});

test('every kind of line break comes', () => {
  expect(new Set(fc.sample(lineBreak(), seeded))).toEqual(new Set(Object.values(lineBreaks)));
});
