import fc from 'fast-check';
import { NoInstance, such } from '../such.ts';
import type { Plain } from './plain.ts';
import { codePoint } from '../text.ts';
import { isDateTime } from './validity.ts';

/** Numbers that a schema admits, whole and with a fraction; never negative zero, which JSON text loses. */
export function numberOf(schema: Plain): fc.Arbitrary<number> {
  if (schema.multipleOf !== undefined) return integerOf(schema);
  const { low, lowExcluded, high, highExcluded } = boundsOf(schema);
  const empty = low > high || (low === high && (lowExcluded || highExcluded));
  if (empty) throw new NoInstance(`no number lies within ${JSON.stringify(schema)}`);
  const fraction = fc.double({
    min: low === -Infinity ? Math.min(-1e9, high - 1e9) : low,
    max: high === Infinity ? Math.max(1e9, low + 1e9) : high,
    minExcluded: lowExcluded,
    maxExcluded: highExcluded,
    noNaN: true,
  });
  const { first, last } = integersOf(schema);
  return (first > last ? fraction : fc.oneof(integerOf(schema), fraction)).map(withoutNegativeZero);
}

/** Integers that a schema admits, multiples of `multipleOf`, within what a double holds exactly. A NoInstance where there is none. */
export function integerOf(schema: Plain): fc.Arbitrary<number> {
  const step = schema.multipleOf ?? 1;
  const { first, last } = integersOf(schema);
  if (first > last) throw new NoInstance(`no integer lies within ${JSON.stringify(schema)}`);
  return fc.integer({ min: first, max: last }).map((count) => withoutNegativeZero(count * step));
}

/** The first and the last multiple that the bounds admit, counted in steps of `multipleOf`. */
function integersOf(schema: Plain): { first: number; last: number } {
  const step = schema.multipleOf ?? 1;
  const { low, lowExcluded, high, highExcluded } = boundsOf(schema);
  const most = Math.floor(Number.MAX_SAFE_INTEGER / step);
  return {
    first: Math.max(-most, lowExcluded ? Math.floor(low / step) + 1 : Math.ceil(low / step)),
    last: Math.min(most, highExcluded ? Math.ceil(high / step) - 1 : Math.floor(high / step)),
  };
}

function boundsOf(schema: Plain) {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const low = Math.max(minimum, exclusiveMinimum);
  const high = Math.min(maximum, exclusiveMaximum);
  return {
    low,
    lowExcluded: low === schema.exclusiveMinimum,
    high,
    highExcluded: high === schema.exclusiveMaximum,
  };
}

function withoutNegativeZero(value: number): number {
  return value + 0;
}

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
