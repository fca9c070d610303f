import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsed } from '../testing/documents.ts';
import { digitsOf, elementAt, group, layoutText, leaf, readXml, requiredText, textAt } from './xml.ts';

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
