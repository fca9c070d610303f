import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalPlaces, decimalText, divided, rescaled, scaled } from './amounts.ts';

describe('scaled', () => {
  test.each([
    [59.9, 2, 5990n],
    [0.1, 2, 10n],
    [1.005, 2, 101n],
    [2.675, 2, 268n],
    [-1.005, 2, -101n],
    [1e-7, 10, 1000n],
    [1e-7, 2, 0n],
    [1.5e-7, 8, 15n],
    [1e21, 2, 10n ** 23n],
    [9999999999999.99, 2, 999999999999999n],
    [0, 4, 0n],
  ])('%d with %i places is %i', (value, places, units) => {
    expect(scaled(value, places)).toBe(units);
  });

  test('a number of so many hundredths comes back as these hundredths', () => {
    const hundredths = fc.integer({ min: -999_999_999_999, max: 999_999_999_999 });
    fc.assert(fc.property(hundredths, (units) => scaled(units / 100, 2) === BigInt(units)));
  });
});

describe('rescaled and divided', () => {
  test.each([
    [25n, 1, 0, 3n],
    [-25n, 1, 0, -3n],
    [24n, 1, 0, 2n],
    [3n, 0, 2, 300n],
  ])('%i units from %i to %i places are %i', (units, from, to, result) => {
    expect(rescaled(units, from, to)).toBe(result);
  });

  test.each([
    [7n, 2n, 4n],
    [-7n, 2n, -4n],
    [7n, -2n, -4n],
    [10n, 3n, 3n],
    [11n, 3n, 4n],
  ])('%i by %i is %i', (units, by, result) => {
    expect(divided(units, by)).toBe(result);
  });
});

describe('text', () => {
  test.each([
    [1250n, 2, '12.50'],
    [5n, 2, '0.05'],
    [0n, 2, '0.00'],
    [-5n, 2, '-0.05'],
    [12n, 0, '12'],
  ])('%i with %i places reads %s', (units, places, text) => {
    expect(decimalText(units, places)).toBe(text);
  });

  test.each([
    [1, 0],
    [0.5, 1],
    [12.3456, 4],
    [1e-7, 7],
    [1.25e-7, 9],
    [1e21, 0],
  ])('%d is written with %i places', (value, places) => {
    expect(decimalPlaces(value)).toBe(places);
  });
});
