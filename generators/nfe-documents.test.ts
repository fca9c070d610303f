import { chaveIn } from '../contract/values.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { layoutFaults, parsed } from '../simulator/testing/documents.ts';
import { chaveCheckDigit } from './domain.ts';
import {
  authorisedNfe,
  bareNfe,
  looseNfe,
  alterations,
  declaring,
  dtds,
  dtdWords,
  padded,
  paddedWith,
} from './nfe-documents.ts';
import { readFileSync } from 'node:fs';

const seed = 1729;
const namespaces = { n: 'http://www.portalfiscal.inf.br/nfe', s: 'http://www.w3.org/2000/09/xmldsig#' };

function texts(arbitrary = authorisedNfe(), numRuns = 150): string[] {
  return fc.sample(arbitrary, { seed, numRuns }).map(({ rawBody }) => rawBody.toString('utf8'));
}

test('an authorised invoice is valid by the official schema, in every spelling', () => {
  fc.assert(
    fc.property(authorisedNfe(), ({ rawBody }) => {
      expect(layoutFaults(rawBody)).toBe('');
    }),
    { seed, numRuns: 60 },
  );
});

test('the chave stands in the Id, with its check digit', () => {
  fc.assert(
    fc.property(fc.oneof(authorisedNfe(), bareNfe(), looseNfe()), ({ rawBody, chave }) => {
      const found = parsed(rawBody, (document) => document.get('//n:infNFe/@Id', namespaces)?.content);
      expect(found).toBe(`NFe${chave}`);
      expect(chave).toMatch(/^\d{44}$/);
      expect(chaveCheckDigit(chave.slice(0, 43))).toBe(chave.slice(43));
    }),
    { seed },
  );
});

test('the chave and the invoice say the same', () => {
  fc.assert(
    fc.property(authorisedNfe(), ({ rawBody, chave }) => {
      const ide = (name: string): string | undefined =>
        parsed(rawBody, (document) => document.get(`//n:ide/n:${name}`, namespaces)?.content);
      expect([ide('cUF'), ide('mod'), ide('tpEmis'), ide('cNF'), ide('cDV')]).toEqual([
        chave.slice(0, 2),
        chave.slice(20, 22),
        chave.slice(34, 35),
        chave.slice(35, 43),
        chave.slice(43),
      ]);
    }),
    { seed, numRuns: 50 },
  );
});

test('a bare invoice has no protocol and a signature', () => {
  fc.assert(
    fc.property(bareNfe(), ({ rawBody }) => {
      expect(parsed(rawBody, (document) => document.root.name)).toBe('NFe');
      expect(parsed(rawBody, (document) => document.find('/n:NFe/s:Signature', namespaces).length)).toBe(1);
    }),
    { seed, numRuns: 30 },
  );
});

test.each([
  ['bare', bareNfe()],
  ['authorised', authorisedNfe()],
])('no %s document is longer than what a service takes, also where this seed has a very long one', (_, documents) => {
  const sizes = fc.sample(documents, { seed: 5, numRuns: 100 }).map(({ rawBody }) => rawBody.length);
  expect(Math.max(...sizes)).toBeGreaterThan(100_000);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000_000);
});

test('a seed gives the same documents again, and another one others', () => {
  expect(texts(authorisedNfe(), 20)).toEqual(texts(authorisedNfe(), 20));
  const others = fc.sample(authorisedNfe(), { seed: seed + 1, numRuns: 20 });
  expect(others.map(({ rawBody }) => rawBody.toString('utf8'))).not.toEqual(texts(authorisedNfe(), 20));
});

test('a document shrinks to a short one of one item in the plain spelling', () => {
  let text = '';
  fc.check(
    fc.property(authorisedNfe(), ({ rawBody }) => {
      text = rawBody.toString('utf8');
      return false;
    }),
    { seed },
  );
  expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?><nfeProc /);
  expect(text.match(/<det /g)).toHaveLength(1);
  expect(text).not.toMatch(/CDATA|&#|<!--|<(?:retirada|entrega|autXML|cobr|infAdic|vol)>/);
  expect(text.length).toBeLessThan(6000);
});

describe('documents are as different as those that others write:', () => {
  const some = texts();
  test.each([
    ['with many items', /nItem\s*=\s*['"]1\d\d['"]/],
    ['with places of fetching', /retirada/],
    ['with bills', /<cobr|:cobr/],
    ['with readers', /autXML/],
    ['with volumes', /<vol|:vol/],
    ['with CDATA', /<!\[CDATA\[/],
    ['with decimal references', /&#233;|&#231;/],
    ['with hexadecimal references', /&#xE9;|&#xE7;/i],
    ['with named entities', /&amp;.*&lt;|&quot;/s],
    ['with comments', /<!-- & -->/],
    ['with processing instructions', /<\?exemplo/],
    ['with apostrophes', /versao\s*=\s*'4/],
    ['that name the namespace twice', /<NFe\s[^>]*xmlns/],
    ['with prefixes', /<nfe:infNFe/],
    ['with a byte order mark', /^\uFEFF/],
    ['without a declaration', /^\s*<(?:\w+:)?nfeProc/],
    ['in Latin-1', /^<\?xml version="1.0" encoding="ISO-8859-1"/],
    ['with CRLF', />\r\n/],
    ['with indentation', />\n {2,}</],
    ['with names of the greatest length', /A{50}/],
    ['with closed empty tags', /<Transform [^>]*[^/]>\s*<\/Transform/],
  ])('some %s', (_, pattern) => {
    expect(some.some((text) => pattern.test(text))).toBe(true);
    expect(some.every((text) => pattern.test(text))).toBe(false);
  });
});

const document = readFileSync('profiles/default/verificacao.autorizada.xml', 'utf8');

describe('a DTD', () => {
  test.each(dtds)('$name stands before the root, and the rest is as it was', ({ apply }) => {
    const changed = apply(document);
    const rest = document.slice(document.indexOf('<nfeProc '));
    expect(changed.slice(changed.indexOf('<nfeProc '))).toBe(rest);
    expect(changed.indexOf('<!DOCTYPE')).toBeGreaterThanOrEqual(0);
    expect(changed.indexOf('<!DOCTYPE')).toBeLessThan(changed.indexOf('<nfeProc '));
  });

  test.each(dtdWords)('is only mentioned $name', ({ apply }) => {
    expect(
      apply(document)
        .replaceAll(/<!--[\s\S]*?-->/g, '')
        .trim(),
    ).toBe(document.trim());
  });
});

test('another encoding is declared, and nothing else changed', () => {
  expect(declaring(document, 'X-17')).toBe(document.replace('encoding="UTF-8"', 'encoding="X-17"'));
  expect(declaring('<a/>', 'X-17')).toBe('<?xml version="1.0" encoding="X-17"?><a/>');
});

test('a document is as long as it was asked to be, in bytes', () => {
  expect(Buffer.byteLength(padded(document, 1_000_000))).toBe(1_000_000);
  const [bytes, letters] = [
    Buffer.byteLength(paddedWith(document, 50_000, 'ç')),
    paddedWith(document, 50_000, 'ç').length,
  ];
  expect(bytes).toBeGreaterThan(50_000);
  expect(letters).toBeLessThan(50_000);
  expect(padded(document, 1_000_000).trimEnd()).toBe(document.trimEnd());
});

test('one letter is altered, in the first name and in the last', () => {
  const differing = (changed: string): number[] =>
    Array.from(document).flatMap((letter, at) => (letter === changed[at] ? [] : [at]));
  const places = alterations(document).map(differing);
  expect(places.map(({ length }) => length)).toEqual([1, 1]);
  expect(places.flat()[0]).toBeLessThan(places.flat()[1] ?? 0);
  expect(alterations('<a/>')).toEqual([]);
});

test('the chave is found in the Id', () => {
  expect(chaveIn(document)).toBe('35261099999991000125550010000010011172904576');
  expect(chaveIn('<a/>')).toBeUndefined();
});
