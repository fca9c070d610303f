import { expect, test } from 'vitest';
import { isAsItSays } from './verification.ts';

const document = (said: string): string => `<?xml version="1.0"${said}?><xMun>São Paulo</xMun>`;
const served = (text: string, encoding: BufferEncoding, type = 'application/xml') => ({
  headers: [['Content-Type', type] as [string, string]],
  rawBody: Buffer.from(text, encoding),
});

test.each([
  ['UTF-8 that says so', served(document(' encoding="UTF-8"'), 'utf8')],
  ['UTF-8 that says nothing', served(document(''), 'utf8')],
  ['Latin-1 that says so', served(document(' encoding="ISO-8859-1"'), 'latin1')],
  ['Latin-1 of which the header says so', served(document(''), 'latin1', 'text/xml; charset=iso-8859-1')],
  ['UTF-16 with its mark', served(`\ufeff${document('')}`, 'utf16le')],
])('a document is in the encoding that it says: %s', (_, answer) => {
  expect(isAsItSays(answer)).toBe(true);
});

test.each([
  ['says UTF-8', served(document(' encoding="utf-8"'), 'latin1')],
  ['says nothing', served(document(''), 'latin1')],
  ['comes with a header that says UTF-8', served(document(''), 'latin1', 'application/xml; charset=UTF-8')],
])('a document in Latin-1 is not in its encoding where it %s', (_, answer) => {
  expect(isAsItSays(answer)).toBe(false);
});
