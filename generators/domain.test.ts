import { faker } from '@faker-js/faker/locale/pt_BR';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  chave,
  chaveCheckDigit,
  cnpj,
  cnpjCheckDigits,
  cpf,
  cpfCheckDigits,
  nascimento,
  ufCodes,
  ufs,
} from './domain.ts';
import { company, person } from './testing/people.ts';

const seeded = { numRuns: 2000, seed: 1729 };

describe('the check digit of a chave', () => {
  test.each([
    '33150308370779000149550010001100931002410775',
    '13181017921427000125650010000000309887251170',
    '29181201541910000144550010000150101383035997',
    '31190506036939000516550090000012721595679193',
    '41170706117473000150550010000463201612756527',
    '35210258716523000119550000000573661346317847',
  ])('is the last of the published %s', (published) => {
    expect(chaveCheckDigit(published.slice(0, 43))).toBe(published.slice(43));
  });

  test('is another in a chave that was altered', () => {
    expect(chaveCheckDigit('3219110767081300082555001005906225113303793')).toBe('3');
  });

  test.each(['', '1'.repeat(42), '1'.repeat(44), `${'1'.repeat(42)}A`, `${'1'.repeat(42)}\n`])(
    'is refused for %j',
    (text) => {
      expect(() => chaveCheckDigit(text)).toThrow('is to be 43 digits');
    },
  );
});

describe('the check digits of tax numbers', () => {
  test.each([
    ['112223330001', '81'],
    ['061174730001', '50'],
    ['083707790001', '49'],
    ['060369390005', '16'],
  ])('of CNPJ %s are %s', (first12, digits) => {
    expect(cnpjCheckDigits(first12)).toBe(digits);
  });

  test.each([
    ['529982247', '25'],
    ['111444777', '35'],
    ['123456789', '09'],
  ])('of CPF %s are %s', (first9, digits) => {
    expect(cpfCheckDigits(first9)).toBe(digits);
  });
});

describe('a generated chave', () => {
  const chaves = fc.sample(chave(), seeded);

  test('is composed of its nine fields', () => {
    const fields = /^(\d\d)(\d\d)(\d\d)(\d{14})(55)(\d{3})(\d{9})([1-9])(\d{8})(\d)$/;
    const ufNumbers: readonly string[] = ufs.map((uf) => ufCodes[uf]);
    for (const value of chaves) {
      const [, uf = '', year, month, issuer = '', , , invoice, , , digit] = fields.exec(value) ?? [];
      expect(ufNumbers).toContain(uf);
      expect(Number(year)).toBeGreaterThanOrEqual(6);
      expect(Number(month)).toBeGreaterThanOrEqual(1);
      expect(Number(month)).toBeLessThanOrEqual(12);
      expect(issuer.slice(12)).toBe(cnpjCheckDigits(issuer.slice(0, 12)));
      expect(Number(invoice)).toBeGreaterThan(0);
      expect(digit).toBe(chaveCheckDigit(value.slice(0, 43)));
    }
  });

  test('does not come twice, and is of every federative unit, month and kind of emission', () => {
    expect(new Set(chaves).size).toBe(chaves.length);
    expect(new Set(chaves.map((value) => value.slice(0, 2))).size).toBe(27);
    expect(new Set(chaves.map((value) => value.slice(4, 6))).size).toBe(12);
    expect(new Set(chaves.map((value) => value[34])).size).toBe(7);
  });
});

describe('generated numbers', () => {
  test('a CNPJ has 14 digits with right check digits', () => {
    for (const value of fc.sample(cnpj(), seeded)) {
      expect(value).toMatch(/^\d{14}$/);
      expect(value.slice(12)).toBe(cnpjCheckDigits(value.slice(0, 12)));
    }
  });

  test('a CPF has 11 digits with right check digits, not all the same', () => {
    for (const value of fc.sample(cpf(), seeded)) {
      expect(value).toMatch(/^(\d)(?!\1{10})\d{10}$/);
      expect(value.slice(9)).toBe(cpfCheckDigits(value.slice(0, 9)));
    }
  });

  test('a number hardly ever comes twice', () => {
    for (const numbers of [cnpj(), cpf()]) expect(new Set(fc.sample(numbers, seeded)).size).toBeGreaterThan(1995);
  });

  test('a CPF is not all the same digit when it has shrunk either', () => {
    const { counterexample } = fc.check(fc.property(cpf(), () => false));
    expect(counterexample?.[0]).toMatch(/^(\d)(?!\1{10})\d{10}$/);
  });

  test('a nascimento is a day that the calendar has, from 1900 to 2020', () => {
    const dates = fc.sample(nascimento(), { ...seeded, numRuns: 20_000 });
    for (const value of dates) {
      const iso = `${value.slice(4)}-${value.slice(2, 4)}-${value.slice(0, 2)}`;
      expect(new Date(`${iso}T00:00:00Z`).toISOString().slice(0, 10)).toBe(iso);
    }
    const years = dates.map((value) => Number(value.slice(4)));
    expect([Math.min(...years), Math.max(...years)]).toEqual([1900, 2020]);
    expect(dates).toContain('01011900');
    expect(dates.some((value) => value.startsWith('2902'))).toBe(true);
    expect(new Set(dates.map((value) => value.slice(2, 4))).size).toBe(12);
  });
});

describe('invented parties', () => {
  test('have Brazilian data, right numbers and addresses that reach nobody', () => {
    const found = fc.sample(fc.record({ company: company(), person: person() }), { ...seeded, numRuns: 300 });
    for (const { company, person } of found) {
      expect(company.cnpj.slice(12)).toBe(cnpjCheckDigits(company.cnpj.slice(0, 12)));
      expect(person.cpf.slice(9)).toBe(cpfCheckDigits(person.cpf.slice(0, 9)));
      expect(person.nascimento).toMatch(/^\d{8}$/);
      for (const { email, telefone, endereco } of [company, person]) {
        expect(email).toMatch(/@example\.(com|org|net)$/);
        expect(telefone).toMatch(/\d{4}-\d{4}$/);
        expect(endereco.cep).toMatch(/^\d{8}$/);
        expect(endereco.codigoIbgeUf).toBe(ufCodes[endereco.uf]);
      }
      const texts = [company.razaoSocial, company.nomeFantasia, person.nome];
      expect(texts).not.toContain('');
      expect(Object.values<string>({ ...company.endereco })).not.toContain('');
    }
    expect(new Set(found.map(({ person }) => person.nome)).size).toBeGreaterThan(200);
  });

  test.each([
    ['company', company],
    ['person', person],
  ])('one seed repeats a %s, whatever else was made meanwhile', (_name, arbitrary) => {
    const once: unknown[] = fc.sample<unknown>(arbitrary(), { ...seeded, numRuns: 20 });
    faker.seed(7);
    faker.person.fullName();
    expect(fc.sample<unknown>(arbitrary(), { ...seeded, numRuns: 20 })).toEqual(once);
    expect(fc.sample<unknown>(arbitrary(), { numRuns: 20, seed: 1 })).not.toEqual(once);
  });
});
