import { describe, expect, test } from 'vitest';
import { isCnpj, isCpf } from './tax-numbers.ts';

// Of the profile, of a published access key, and the examples that everybody uses.
const cnpjs = ['11222333000181', '08370779000149', '99999991000125', '99999992000170', '99999999000191'];
const cpfs = ['52998224725', '11144477735', '99999999050', '40440440408'];

describe('CNPJ', () => {
  test.each(cnpjs)('%s has right check digits', (cnpj) => {
    expect(isCnpj(cnpj)).toBe(true);
  });

  test.each(cnpjs)('%s with any one digit changed is none', (cnpj) => {
    for (const place of cnpj.split('').keys()) {
      for (let step = 1; step <= 9; step++) expect(isCnpj(changed(cnpj, place, step))).toBe(false);
    }
  });

  test.each([
    '',
    '1122233300018',
    '112223330001811',
    '11.222.333/0001-81',
    ' 11222333000181',
    '99999991 00125',
    '12ABC34501DE35',
    '١١222333000181',
  ])('%j is not 14 digits', (text) => {
    expect(isCnpj(text)).toBe(false);
  });

  test('one digit repeated is none', () => {
    for (const digit of '0123456789') expect(isCnpj(digit.repeat(14))).toBe(false);
  });
});

describe('CPF', () => {
  test.each(cpfs)('%s has right check digits', (cpf) => {
    expect(isCpf(cpf)).toBe(true);
  });

  test.each(['', '5299822472', '529982247255', '529.982.247-25', '4 44 44 4 8', '5299822472５'])(
    '%j is not 11 digits',
    (text) => {
      expect(isCpf(text)).toBe(false);
    },
  );

  test('one digit repeated is none, though its check digits are right', () => {
    for (const digit of '0123456789') expect(isCpf(digit.repeat(11))).toBe(false);
  });
});

function changed(text: string, place: number, step: number): string {
  const digit = (Number(text[place]) + step) % 10;
  return text.slice(0, place) + String(digit) + text.slice(place + 1);
}
