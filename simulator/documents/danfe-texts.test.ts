import { expect, test } from 'vitest';
import {
  brazilianDateTime,
  brazilianNumber,
  brazilianPrice,
  grouped,
  invoiceNumber,
  postcode,
  taxNumber,
} from './danfe.ts';

test.each([
  ['0.00', '0,00'],
  ['999.99', '999,99'],
  ['1234.50', '1.234,50'],
  ['9999999999999.99', '9.999.999.999.999,99'],
  ['12.3456', '12,3456'],
  ['7', '7'],
  ['', ''],
])('the number %j is written %j', (text, shown) => {
  expect(brazilianNumber(text)).toBe(shown);
});

test.each([
  ['12.5000000000', '12,50'],
  ['12.0000000000', '12,00'],
  ['1.2345000000', '1,2345'],
  ['100.00', '100,00'],
])('the price %j is written %j', (text, shown) => {
  expect(brazilianPrice(text)).toBe(shown);
});

test('dates, tax numbers, postcodes, chaves and numbers have their punctuation', () => {
  expect(brazilianDateTime('2026-10-05T10:00:07-03:00')).toBe('05/10/2026 10:00:07');
  expect(taxNumber('99999991000125')).toBe('99.999.991/0001-25');
  expect(taxNumber('99999999050')).toBe('999.999.990-50');
  expect(postcode('01000000')).toBe('01000-000');
  expect(grouped('12345678')).toBe('1234 5678');
  expect(invoiceNumber('1001')).toBe('000.001.001');
});
