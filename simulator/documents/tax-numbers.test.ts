import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chave } from '../../generators/domain.ts';
import { chaveCheckDigit, chaveOf, isChave, isCnpj, isCpf } from './tax-numbers.ts';

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

/** Access keys that were published elsewhere. */
const published = [
  '33150308370779000149550010001100931002410775',
  '13181017921427000125650010000000309887251170',
  '29181201541910000144550010000150101383035997',
  '31190506036939000516550090000012721595679193',
  '41170706117473000150550010000463201612756527',
  '35210258716523000119550000000573661346317847',
];

const parts = {
  ufCode: '35',
  issuedAtMs: Date.parse('2026-10-05T10:00:00-03:00'),
  cnpj: '99999991000125',
  serie: 1,
  numero: 1001,
  cNF: '17290457',
};

describe('check digit', () => {
  test.each(published)('%s is a chave', (text) => {
    expect(isChave(text)).toBe(true);
  });

  test('a published chave with an altered digit is none', () => {
    const altered = '32191107670813000825550010059062251133037938';
    expect(chaveCheckDigit(altered.slice(0, -1))).toBe('3');
    expect(isChave(altered)).toBe(false);
  });

  test('every generated chave is one, and with any other last digit it is none', () => {
    fc.assert(
      fc.property(chave(), fc.integer({ min: 1, max: 9 }), (text, more) => {
        expect(isChave(text)).toBe(true);
        expect(isChave(text.slice(0, -1) + String((Number(text.at(-1)) + more) % 10))).toBe(false);
      }),
    );
  });

  test.each(['', '1', `${'0'.repeat(43)}x`, '٣'.repeat(44), `${published[0]} `, `${published[0]}\n`, '0'.repeat(45)])(
    '%j is no chave',
    (text) => {
      expect(isChave(text)).toBe(false);
    },
  );
});

describe('chaveOf', () => {
  test('puts state, year and month, CNPJ, model, series, number, emission, code and check digit in a row', () => {
    expect(chaveOf(parts)).toBe('35261099999991000125550010000010011172904576');
  });

  test('year and month are those of Brasília', () => {
    expect(chaveOf({ ...parts, issuedAtMs: Date.parse('2027-01-01T02:59:59Z') }).slice(2, 6)).toBe('2612');
    expect(chaveOf({ ...parts, issuedAtMs: Date.parse('2027-01-01T03:00:00Z') }).slice(2, 6)).toBe('2701');
  });

  test('series 0 and the highest number fit', () => {
    expect(chaveOf({ ...parts, serie: 0, numero: 999_999_999 }).slice(22, 34)).toBe('000999999999');
  });

  test.each([{ cNF: '123' }, { numero: 1_000_000_000 }, { cnpj: '12abc34501de35' }])('refuses %o', (wrong) => {
    expect(() => chaveOf({ ...parts, ...wrong })).toThrow('43 digits');
  });
});
