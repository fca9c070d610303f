import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { alterations, chaveIn, declaring, dtds, dtdWords, padded, paddedWith } from './nfe-documents.ts';

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
