import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from './code-points.ts';

const seeded = { numRuns: 20_000, seed: 1729 };

test('a code point is one character, no half of a surrogate pair, from the first to the last', () => {
  const points = fc.sample(codePoint(), seeded);
  const codes = points.map((point) => point.codePointAt(0) ?? -1);
  expect(points.every((point) => point.isWellFormed() && Array.from(point).length === 1)).toBe(true);
  expect([Math.min(...codes), Math.max(...codes)]).toEqual([0, 0x10ffff]);
  expect(codes).toContain(0xffff);
  expect(codes.some((code) => code > 0xdfff && code < 0xffff)).toBe(true);
});
