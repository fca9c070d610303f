import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bodyText,
  echoMessage,
  pathSegment,
  queryString,
  codePoint,
  lineBreak,
  lineBreaks,
  withLineBreaks,
} from './text.ts';

describe('text', () => {
  const seeded = { numRuns: 4000, seed: 1729 };

  /** The share of values that have a property. */
  function share(values: readonly string[], has: (value: string) => boolean): number {
    return values.filter(has).length / values.length;
  }

  describe('an echo message', () => {
    const messages = fc.sample(echoMessage(), seeded);

    test('is well-formed, at most 8 kB in UTF-8, and something of it is visible', () => {
      for (const message of messages) {
        expect(message.isWellFormed()).toBe(true);
        expect(Buffer.byteLength(message)).toBeLessThanOrEqual(8000);
        expect(message).toMatch(/[\p{L}\p{N}\p{P}\p{S}]/u);
      }
    });

    test.each([
      ['CR alone', /\r(?!\n)/],
      ['LF alone', /(?<!\r)\n/],
      ['CRLF', /\r\n/],
      ['a quote', /"/],
      ['a backslash', /\\/],
      ['an escape as text', /\\u0041/],
      ['a C0 control character', /(?![\r\n\t])\p{Cc}(?<![\u007F-\u009F])/u],
      ['a C1 control character', /[\u0080-\u009F]/],
      ['an astral character', /[\u{10000}-\u{10FFFF}]/u],
      ['a private or unassigned character', /[\p{Co}\p{Cn}]/u],
      ['a line or paragraph separator', /[\u2028\u2029]/],
      ['a leading space', /^ /],
      ['a trailing space', / $/],
    ])('has %s in one of fifty at least', (_what, pattern) => {
      expect(share(messages, (message) => pattern.test(message))).toBeGreaterThan(0.02);
    });

    test('has text that Unicode normalisation would change, in either direction', () => {
      expect(share(messages, (message) => message !== message.normalize('NFC'))).toBeGreaterThan(0.1);
      expect(share(messages, (message) => message !== message.normalize('NFD'))).toBeGreaterThan(0.1);
      expect(share(messages, (message) => message.normalize('NFC') !== message.normalize('NFKC'))).toBeGreaterThan(
        0.05,
      );
    });

    test('is mostly small and sometimes near 8 kB', () => {
      expect(share(messages, (message) => message.length < 300)).toBeGreaterThan(0.9);
      expect(share(messages, (message) => Buffer.byteLength(message) > 7400)).toBeGreaterThan(0.02);
      expect(share(messages, (message) => message.length === 1)).toBeGreaterThan(0);
    });

    test('shrinks to a few characters, from 8 kB too', () => {
      const seeds = Array.from({ length: 500 }, (_, seed) => seed);
      const seed = seeds.find((seed) => /^[^]{2000,}\r/.test(fc.sample(echoMessage(), { seed, numRuns: 1 })[0] ?? ''));
      const { counterexample } = fc.check(
        fc.property(echoMessage(), (message) => !message.includes('\r')),
        { seed: seed ?? -1, numRuns: 1 },
      );
      expect(counterexample?.[0]?.length).toBeLessThanOrEqual(3);
    });
  });

  describe('a body text', () => {
    const texts = fc.sample(bodyText(), seeded);

    test('is well-formed, not empty, at most 8 kB in UTF-8, and no byte order mark comes first', () => {
      for (const text of texts) {
        expect(text.isWellFormed()).toBe(true);
        expect(text).not.toBe('');
        expect(text.startsWith('\uFEFF')).toBe(false);
        expect(Buffer.byteLength(text)).toBeLessThanOrEqual(8000);
      }
    });

    test.each([
      ['only line breaks', /^[\r\n]+$/],
      ['more than one kind of line break', /^(?=[^]*\r\n)(?=[^]*(\r(?!\n)|(?<!\r)\n))/],
      ['LF before CR', /\n\r/],
      ['a trailing space', / $/],
      ['a space before a line break', / [\r\n]/],
      ['a tab', /\t/],
      ['a byte order mark inside', /.\uFEFF/s],
      ['no line break', /^[^\r\n]+$/],
    ])('has %s in one of fifty at least', (_what, pattern) => {
      expect(share(texts, (text) => pattern.test(text))).toBeGreaterThan(0.02);
    });
  });

  describe('a query string', () => {
    const queries = fc.sample(queryString(), seeded);

    test('has only characters that RFC 3986 allows there, and whole escapes of UTF-8', () => {
      for (const query of queries) {
        expect(query).toMatch(/^([\w.~!$&*+,;=:@/?-]|%[\dA-Fa-f]{2})+$/);
        expect(() => decodeURIComponent(query)).not.toThrow();
      }
    });

    test('escapes no control character', () => {
      expect(share(queries, (query) => /\p{Cc}/u.test(decodeURIComponent(query)))).toBe(0);
    });

    test('never has a name of a signature header', () => {
      expect(share(queries, (query) => /token|sign|timestamp/i.test(decodeURIComponent(query)))).toBe(0);
    });

    test.each([
      ['several parameters', /&.*&/],
      ['a repeated name', /(?:^|&)([^=&]+)(?:=[^&]*)?(?:&.*)?&\1(?:=|&|$)/],
      ['an empty value', /=(&|$)/],
      ['a name alone', /(^|&)[^=&]+(&|$)/],
      ['an escaped space', /%20/],
      ['an escaped separator', /%26|%3D/],
      ['a lower-case escape', /%c3%a3/],
      ['a slash or question mark', /[/?]/],
    ])('has %s in one of fifty at least', (_what, pattern) => {
      expect(share(queries, (query) => pattern.test(query))).toBeGreaterThan(0.02);
    });
  });

  describe('a path segment', () => {
    const segments = fc.sample(pathSegment(), { ...seeded, numRuns: 40_000 });

    test('has 1 to 40 unreserved characters and is no dot segment', () => {
      expect(share(segments, (segment) => /^(?!\.\.?$)[A-Za-z0-9._~-]{1,40}$/.test(segment))).toBe(1);
    });

    test.each([
      ['only digits', /^\d+$/],
      ['both cases', /^(?=.*[a-z])(?=.*[A-Z])/],
      ['only letters', /^[A-Za-z]+$/],
      ['a dot', /\./],
      ['a tilde', /~/],
      ['one character', /^.$/],
      ['more than 35 characters', /^.{36}/],
    ])('has %s in one of fifty at least', (_what, pattern) => {
      expect(share(segments, (segment) => pattern.test(segment))).toBeGreaterThan(0.02);
    });
  });

  test.each([
    ['echoMessage', echoMessage],
    ['bodyText', bodyText],
    ['queryString', queryString],
    ['pathSegment', pathSegment],
  ])('one seed repeats every %s', (_name, arbitrary) => {
    const sample = (seed: number): string[] => fc.sample(arbitrary(), { numRuns: 100, seed });
    expect(sample(1)).toEqual(sample(1));
    expect(sample(2)).not.toEqual(sample(1));
  });
});

describe('code points', () => {
  const seeded = { numRuns: 20_000, seed: 1729 };

  test('a code point is one character, no half of a surrogate pair, from the first to the last', () => {
    const points = fc.sample(codePoint(), seeded);
    const codes = points.map((point) => point.codePointAt(0) ?? -1);
    expect(points.every((point) => point.isWellFormed() && Array.from(point).length === 1)).toBe(true);
    expect([Math.min(...codes), Math.max(...codes)]).toEqual([0, 0x10ffff]);
    expect(codes).toContain(0xffff);
    expect(codes.some((code) => code > 0xdfff && code < 0xffff)).toBe(true);
  });
});

describe('line breaks', () => {
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
});
