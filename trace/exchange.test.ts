import { expect, test } from 'vitest';
import { jsonIn, jsonOf, mentions, quotedOf, textOf, epochMs } from './exchange.ts';

function message(contentType: string, rawBody: Buffer): Parameters<typeof textOf>[0] {
  return { headers: [['Content-Type', contentType]], rawBody };
}

test.each([
  ['application/json', Buffer.from('ação')],
  ['application/json; charset=utf-8', Buffer.from('ação')],
  ['application/json; charset=x-klingon', Buffer.from('ação')],
  ['no media type', Buffer.from('ação')],
  ['application/json', Buffer.from('\ufeffação')],
  ['application/json; charset="ISO-8859-1"', Buffer.from('ação', 'latin1')],
  ['application/json;charset=windows-1252', Buffer.from('ação', 'latin1')],
  ['application/json; charset=UTF-16LE', Buffer.from('ação', 'utf16le')],
  ['application/json; charset=utf-16', Buffer.from('\ufeffação', 'utf16le')],
  ['application/json', Buffer.from('\ufeffação', 'utf16le')],
])('the text of a body is read as %j says it is', (contentType, rawBody) => {
  expect(textOf(message(contentType, rawBody))).toBe('ação');
});

test('JSON is read in the charset that is stated, and the same value is given whenever it is asked for', () => {
  const stated = message('application/json; charset=iso-8859-1', Buffer.from('{"a":"ç"}', 'latin1'));
  expect(jsonOf(stated)).toEqual({ a: 'ç' });
  expect(jsonOf(stated)).toBe(jsonOf(stated));
});

test.each(['', 'no JSON', '{"a":', '\0{}'])('%j is no JSON', (text) => {
  expect(jsonIn(text)).toBeUndefined();
});

test('JSON that is nested beyond any use is not read, however it is nested', () => {
  expect(jsonIn('['.repeat(500) + ']'.repeat(500))).toBeDefined();
  expect(jsonIn('['.repeat(501) + ']'.repeat(501))).toBeUndefined();
  expect(jsonIn('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toBeUndefined();
});

test('brackets in a string are not nested, whatever stands before its quotes', () => {
  const text = String.raw`\" [[ \\`;
  const many = JSON.stringify({ text: '['.repeat(10_000) + text, more: [text, '\\', '"'] });
  expect(jsonIn(many)).toEqual({ text: '['.repeat(10_000) + text, more: [text, '\\', '"'] });
});

test('what is quoted of a body is its start', () => {
  expect(quotedOf(message('text/plain', Buffer.alloc(1_000_000, 'x'))).length).toBeLessThan(30_000);
});

test('a body mentions a text however its JSON is written, and what is no JSON as it stands', () => {
  const [quoted, other] = ['"nfe-1"', '"nfe-2"'];
  for (const text of ['{"a":["nfe-1"]}', String.raw`{"\u0061":"\u006Ef\u0065-1"}`, 'no JSON: "nfe-1"']) {
    const sent = message('application/json', Buffer.from(text));
    expect(mentions(sent, quoted)).toBe(true);
    expect(mentions(sent, other)).toBe(false);
  }
});

test('the time is that of the system, to the hundredth of a millisecond, and never goes back', () => {
  const times = Array.from({ length: 1000 }, epochMs);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(times.map((time) => Math.round(time * 100) / 100)).toEqual(times);
  expect(Math.abs(Date.now() - epochMs())).toBeLessThan(1000);
});
