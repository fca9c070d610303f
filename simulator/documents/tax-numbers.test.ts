import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chave } from '../../generators/domain.ts';
import { chaveCheckDigit, chaveOf, isChave, isCnpj, isCpf } from './tax-numbers.ts';
import { parsed } from '../testing/documents.ts';
import { digitsOf, elementAt, group, layoutText, leaf, readXml, requiredText, textAt } from './xml.ts';

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

describe('writing', () => {
  test('elements are never self-closing, absent texts are nothing', () => {
    expect(group('a', [leaf('b', ''), leaf('c', undefined), group('d', [])])).toBe('<a><b></b><d></d></a>');
  });

  test('attributes follow the namespace in alphabetical order', () => {
    const attributes = { versao: '4.00', Id: 'x', xmlns: 'urn:n' };
    expect(group('a', [], attributes)).toBe('<a xmlns="urn:n" Id="x" versao="4.00"></a>');
  });

  test('texts are escaped as canonical XML has it', () => {
    expect(leaf('a', `&<>"' ç\r`)).toBe(`<a>&amp;&lt;&gt;"' ç&#xD;</a>`);
    expect(group('a', [], { b: `&<>"'\t\n\r` })).toBe(`<a b="&amp;&lt;>&quot;'&#x9;&#xA;&#xD;"></a>`);
  });

  test('is canonical by libxml2, whatever the texts', () => {
    const texts = fc.string({ unit: fc.integer({ min: 0x20, max: 0xffff }).filter(isXml).map(fromCode) });
    const ends = fc.constantFrom('', '\r', '\n', '\t', ']]>', '<!--', '&amp;');
    fc.assert(
      fc.property(texts, ends, (text, end) => {
        const xml = group('a', [leaf('b', text + end)], { c: text + end, xmlns: 'urn:n' });
        expect(parsed(Buffer.from(xml), (document) => document.canonicalizeToString())).toBe(xml);
      }),
    );
  });
});

describe('reading', () => {
  test('gives back what was written', () => {
    const xml = `<?xml version="1.0"?>${group('a', [leaf('b', '1'), leaf('b', `&<>"' ç\r`), group('c', [leaf('b', '2')])])}`;
    const document = readXml(xml);
    expect(textAt(document, 'a/b')).toBe('1');
    expect(textAt(document, 'a/c/b')).toBe('2');
    expect(elementAt(document, 'a')?.children.map(({ text }) => text)).toEqual(['1', `&<>"' ç\r`, '']);
  });

  test('finds nothing where there is nothing', () => {
    expect(textAt(readXml('<a></a>'), 'a/b/c')).toBe('');
    expect(elementAt(undefined, 'a')).toBeUndefined();
  });
});

function isXml(code: number): boolean {
  return code < 0xd800 || (code > 0xdfff && code < 0xfffe);
}

function fromCode(code: number): string {
  return String.fromCharCode(code);
}

test.each([
  ['  a \r\n b ', 'a b'],
  ['ac\u0327a\u0303o', 'ação'],
  ['a–b', 'a?b'],
  ['😀', '?'],
  ['\ud800\u0000', '??'],
  ['1234 6789', '1234'],
  ['12345678', '12345'],
])('%j fits into five characters as %j', (text, fitting) => {
  expect(layoutText(text, 5)).toBe(fitting);
});

test('what is empty or too short is nothing, or is said not to be known', () => {
  expect([layoutText('', 5), layoutText(undefined, 5), layoutText('a', 5, 2)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(requiredText(' ', 60)).toBe('NAO INFORMADO');
  expect(requiredText('a', 6, 2)).toBe('NAO IN');
});

test.each([
  ['+55 (11) 99999-9999', '5511999999999'],
  ['12345', undefined],
  ['123456789012345', undefined],
  [undefined, undefined],
])('the digits of %j are %j', (text, digits) => {
  expect(digitsOf(text, 6, 14)).toBe(digits);
});
