import fc from 'fast-check';
import { codePoint } from '../code-points.ts';
import { NoInstance, such } from '../such.ts';
import type { Plain } from './plain.ts';
import { isDateTime } from './validity.ts';

/** Strings that a schema admits; lengths are counted in code points, and the shortest and the longest come often. */
export function stringOf(schema: Plain): fc.Arbitrary<string> {
  const shortest = schema.minLength ?? 0;
  const longest = schema.maxLength ?? shortest + 20;
  if (shortest > longest || longest < 0) throw new NoInstance(`no string is as short as ${JSON.stringify(schema)}`);
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  if (schema.format === undefined && pattern === undefined) return freeText(shortest, longest);
  const source =
    pattern === undefined || schema.format !== undefined
      ? dateTime()
      : fc.stringMatching(pattern, { size: sizeFor(shortest) });
  const fits = (text: string): boolean =>
    text.isWellFormed() &&
    codePoints(text) >= shortest &&
    codePoints(text) <= (schema.maxLength ?? Infinity) &&
    (pattern?.test(text) ?? true) &&
    (schema.format === undefined || isDateTime(text));
  return such(source, fits, `string for ${JSON.stringify(schema)}`);
}

function codePoints(text: string): number {
  return Array.from(text).length;
}

function freeText(shortest: number, longest: number): fc.Arbitrary<string> {
  const ascii = fc.string({ minLength: 1, maxLength: 1 });
  const unit = fc.oneof(ascii, fc.string({ unit: 'grapheme-composite', minLength: 1, maxLength: 1 }), codePoint());
  return fc.oneof(
    { withCrossShrink: true },
    { arbitrary: fc.string({ unit, minLength: shortest, maxLength: longest }), weight: 6 },
    { arbitrary: fc.string({ minLength: shortest, maxLength: shortest }), weight: 1 },
    { arbitrary: fc.string({ minLength: longest, maxLength: longest }), weight: 1 },
  );
}

function sizeFor(length: number): fc.Size {
  if (length <= 10) return 'small';
  return length <= 100 ? 'medium' : 'large';
}

/** A date and time as RFC 3339 writes it: years 1900 to 2100, with and without fraction, in UTC and at offsets. */
function dateTime(): fc.Arbitrary<string> {
  const digits = fc.stringMatching(/^(\.\d{1,9})?$/);
  const zone = fc.constantFrom('Z', '+00:00', '-03:00', '-02:00', '+14:00');
  const instant = fc.date({ min: new Date('1900-01-01'), max: new Date('2100-12-31'), noInvalidDate: true });
  return fc.tuple(instant, digits, zone).map(([at, fraction, offset]) => {
    return `${at.toISOString().slice(0, 19)}${fraction}${offset}`;
  });
}
