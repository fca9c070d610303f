import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parsed } from '../testing/official-layout.ts';
import { elementAt, group, leaf, readXml, textAt } from './xml.ts';

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
