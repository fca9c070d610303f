import { expect, test, describe, vi } from 'vitest';
import { jsonIn, jsonOf, mentions, quotedOf, textOf, epochMs, type Response } from './exchange.ts';
import { signedRequest, type SignedRequest } from '../client/sign.ts';
import { exchangeRecord } from './records.ts';

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
  expect(quotedOf(message('application/json', Buffer.from(' {"code":1}\n')))).toBe(' {"code":1}');
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
  expect(Date.now() - epochMs()).toBeLessThan(1000);
});

test('a system whose clock is put forward is followed, and one whose clock is put back is not', async () => {
  vi.resetModules();
  const { epochMs: freshMs } = await import('./exchange.ts');
  const [nowMs, before] = [Date.now(), freshMs()];
  const now = vi.spyOn(Date, 'now').mockReturnValue(nowMs + 53_000);
  const ahead = freshMs();
  now.mockReturnValue(nowMs);
  const after = freshMs();
  now.mockRestore();
  expect(ahead - before).toBeGreaterThan(52_000);
  expect(after).toBeGreaterThanOrEqual(ahead);
});

const origin = { appSecret: 'secret', nowSeconds: 1_757_000_000 };
const call = { method: 'GET', path: '/openapi/v3/consultas/cnpj/1' } as const;
const request = signedRequest({ call, token: 'secret', timestamp: '1757000000', origin });
const response: Response = { status: 200, headers: [], rawBody: Buffer.from('{"a":"ç"}', 'utf8') };

function recordOf(changes: Partial<SignedRequest>, answer: Partial<Response> = {}) {
  const record = exchangeRecord({
    request: { ...request, ...changes },
    response: { ...response, ...answer },
    durationMs: 1,
  });
  return record?.kind === 'exchange' ? record : undefined;
}

describe('an exchange as a record', () => {
  test('reads the body in its charset', () => {
    expect(recordOf({})?.json).toEqual({ a: 'ç' });
    const latin = { headers: [['Content-Type', 'application/json; charset=latin1']] as const };
    expect(recordOf({}, { ...latin, rawBody: Buffer.from('{"a":"ç"}', 'latin1') })?.json).toEqual({ a: 'ç' });
  });

  test('is none where the body was cut or could not be decoded', () => {
    expect(recordOf({}, { wholeBytes: 9_000_000 })).toBeUndefined();
    expect(recordOf({}, { undecoded: 'no gzip, though it is said to be' })).toBeUndefined();
  });

  test('joins the values of a header that was sent twice', () => {
    const headers = [...request.headers, ['Language', 'en'], ['language', 'pt']] as const;
    expect(recordOf({ headers })?.requestHeaders.get('language')).toBe('en, pt');
  });

  test('is rightly signed where the three headers are there once each, as its caller is to send them', () => {
    const replaced = (name: string, value: string): SignedRequest['headers'] =>
      request.headers.map(([own, sent]) => [own, own === name ? value : sent]);
    expect(recordOf({})?.isRightlySigned).toBe(true);
    for (const name of ['token', 'timestamp', 'sign']) {
      expect(recordOf({ headers: replaced(name, 'x') })?.isRightlySigned).toBe(false);
    }
    expect(recordOf({ headers: [...request.headers, ['Token', 'secret']] })?.isRightlySigned).toBe(false);
    expect(recordOf({ parts: { ...request.parts, path: '/other' } })?.isRightlySigned).toBe(false);
  });

  test('has the time and the distance of its timestamp from when it went out, not from when it was made', () => {
    const waited = (sentAtMs: number, madeAtMs?: number) =>
      exchangeRecord({
        request: { ...request, origin: { ...origin, ...(madeAtMs === undefined ? {} : { madeAtMs }) } },
        response,
        sentAtMs,
        durationMs: 1,
      });
    const facts = { nowSeconds: 1_757_000_007, signing: { aheadSeconds: -7 }, isRightlySigned: true };
    expect(waited(17_900, 10_000)).toMatchObject(facts);
    expect(waited(71_000, 10_000)).toMatchObject({ isRightlySigned: false });
    expect(waited(17_900)).toMatchObject({ nowSeconds: 1_757_000_000, signing: { aheadSeconds: 0 } });
  });

  test('knows a token that a rotation has made invalid', () => {
    const signing = { isOwnToken: false, isFormerToken: true };
    expect(recordOf({ origin: { ...origin, appSecret: 'new', formerSecrets: ['secret'] } })).toMatchObject({ signing });
    expect(recordOf({})?.signing).not.toHaveProperty('isFormerToken');
  });
});
