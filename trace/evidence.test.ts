import { describe, expect, test } from 'vitest';
import type { Draft } from '../contract/request.ts';
import type { SignedEvidence } from '../schemas/evidence.ts';
import { evidenceOf, evidenceOfDelivery } from './evidence.ts';
import { maskFor } from './mask.ts';
import type { Arrival, Exchange } from './exchange.ts';
import { signedRequest } from '../client/sign.ts';

const secret = 'evidence-canary-secret-0123456789';
const mask = maskFor(new Map([[secret, '$NFE_APP_SECRET']]));
const veil = { mask };

function exchangeWith(change: Partial<Draft>, answer = 'refused'): Exchange {
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{"message":"a\r\nb"}') };
  const draft: Draft = { call, token: secret, timestamp: '1700000000', ...change };
  const response = { status: 401, headers: [], rawBody: Buffer.from(answer) };
  return { request: signedRequest(draft), response, durationMs: 1 };
}

test('the token shows as the name of its setting, in the header and in the string to sign', () => {
  const evidence = evidenceOf(exchangeWith({}), veil);
  expect(evidence.request.headers).toContainEqual(['token', '$NFE_APP_SECRET']);
  expect(evidence.stringToSign?.text).toBe('$NFE_APP_SECRET/openapi/demo/echo{"message":"ab"}1700000000');
});

test.each([
  ['chunked', ['transfer-encoding', 'chunked']],
  ['expecting', ['expect', '100-continue']],
] as const)('a body that goes out %s shows by its header, so that it is repeated so', (transfer, header) => {
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{}'), transfer };
  expect(evidenceOf(exchangeWith({ call }), veil).request.headers).toContainEqual([...header]);
});

test.each([
  ['cut', secret.slice(0, -1)],
  ['changed', `X${secret.slice(1)}`],
  ['in the other case', secret.toUpperCase()],
])('a token that is nearly the secret (%s) never shows, not even when the target returns it', (_, token) => {
  const evidence = JSON.stringify(evidenceOf(exchangeWith({ token }, `unknown token ${token}`), veil));
  expect(evidence).not.toContain(token);
  expect(evidence).not.toContain(secret.slice(1, -1));
});

test('a body that is not UTF-8 is shown in base64, with its secret masked', () => {
  const rawBody = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(secret)]);
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody };
  const { body } = evidenceOf(exchangeWith({ call }), veil).request;
  expect(body).toMatchObject({ encoding: 'base64', bytes: rawBody.length });
  expect(Buffer.from(body?.text ?? '', 'base64').toString('latin1')).toContain('$NFE_APP_SECRET');
});

test.each([0, 1, 20, 33])(
  'a secret that begins %i characters before the end of what shows of a long body is hidden',
  (before) => {
    const text = `${'x'.repeat(20_000 - before)}${secret}${' y'.repeat(500_000)}`;
    const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from(text) };
    const evidence = JSON.stringify(evidenceOf(exchangeWith({ call }, text), veil));
    expect(evidence).not.toContain('xe');
    expect(evidence).toContain('"cut":true');
  },
);

test('of a long body that gets much shorter where it is masked as much shows as of another', () => {
  const text = `${secret.repeat(5_000)}${'x'.repeat(20_000)}`;
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from(text) };
  const shown = evidenceOf(exchangeWith({ call }), { mask: (whole) => whole.replaceAll(secret, '') }).request.body
    ?.text;
  expect(shown).toBe('x'.repeat(20_000));
});

test('of a body of a megabyte no more is looked through than may show', () => {
  const lengths: number[] = [];
  const counting = (text: string): string => (lengths.push(text.length), text);
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.alloc(1_000_000, 'x') };
  evidenceOf(exchangeWith({ call }), { mask: counting });
  expect(Math.max(...lengths)).toBeLessThan(100_000);
});

test('a form that is all text is shown: only a file has bytes that are no UTF-8', () => {
  const rawBody = Buffer.from('--b\r\n\r\nação\r\n--b--');
  const call = { method: 'POST', path: '/openapi/x', contentType: 'multipart/form-data; boundary=b', rawBody };
  expect(evidenceOf(exchangeWith({ call }), veil).request.body).toEqual({
    text: '--b\r\n\r\nação\r\n--b--',
    encoding: 'utf-8',
    bytes: rawBody.length,
  });
});

test('of a delivery the secret shows neither in a header nor in the target, the body or the string to sign', () => {
  const headers: [string, string][] = [
    ['X-Service-Timestamp', '1700000000'],
    ['Authorization', `Bearer ${secret}`],
  ];
  const rawBody = Buffer.from(`{"a":"${secret}"}`);
  const target = `/hook/${secret}?a=1`;
  const arrival: Arrival = { method: 'POST', target, headers, rawBody, isTooLarge: false, arrivedAtMs: 0 };
  const { request, stringToSign } = evidenceOfDelivery(arrival, veil);
  expect(request).toMatchObject({ target: '/hook/$NFE_APP_SECRET?a=1', body: { text: '{"a":"$NFE_APP_SECRET"}' } });
  expect(request.headers).toContainEqual(['Authorization', 'Bearer $NFE_APP_SECRET']);
  expect(stringToSign?.text).toBe('1700000000.{"a":"$NFE_APP_SECRET"}');
});

test('of an answer the secret shows in no name of a header, either', () => {
  const exchange = exchangeWith({});
  const headers: [string, string][] = [[`X-${secret}`, '1']];
  const { response } = evidenceOf({ ...exchange, response: { status: 200, headers, rawBody: Buffer.alloc(0) } }, veil);
  expect(response?.headers).toEqual([['X-$NFE_APP_SECRET', '1']]);
});

test('an uploaded file is not shown: it holds a private key', () => {
  const key = Buffer.from([0x30, 0x82, 0xff, 0xfe, 0x4b, 0x45, 0x59]);
  const call = { method: 'POST', path: '/openapi/x', contentType: 'multipart/form-data; boundary=b', rawBody: key };
  const evidence = evidenceOf(exchangeWith({ call }), veil);
  expect(evidence.request.body).toEqual({
    text: '(an uploaded file, not shown)',
    encoding: 'utf-8',
    bytes: key.length,
    cut: true,
  });
  expect(JSON.stringify(evidence)).not.toContain(key.toString('base64').slice(0, 6));
});

test('a body beyond the length that is asked for is cut, and says so', () => {
  const { response } = evidenceOf(exchangeWith({}, 'x'.repeat(90)), veil, 30);
  expect(response?.body).toEqual({ text: 'x'.repeat(30), encoding: 'utf-8', bytes: 90, cut: true });
});

test('a link that was followed shows without its token, and nothing of it was signed', () => {
  const { request } = exchangeWith({});
  const target = '/documentos/f3a9c1d27be84f60a5d2.xml?key=abc';
  const link = { ...request, target, headers: [], isLink: true } as const;
  const evidence = evidenceOf({ request: link, error: 'ECONNRESET', durationMs: 1 }, veil);
  expect(evidence.request.target).toBe('/documentos/$linkToken?key=$linkToken');
  expect(evidence).not.toHaveProperty('stringToSign');
  expect(evidence).not.toHaveProperty('signing');
});

describe('the string to sign is told in parts', () => {
  const partTexts = (signed: SignedEvidence | undefined): string[][] => {
    const { text = '', parts = [] } = signed ?? {};
    let at = 0;
    return parts.map(({ name, length }) => [name, text.slice(at, (at += length))]);
  };

  test('of a request: token, path, body and timestamp, as they show', () => {
    expect(partTexts(evidenceOf(exchangeWith({}), veil).stringToSign)).toEqual([
      ['token', '$NFE_APP_SECRET'],
      ['path', '/openapi/demo/echo'],
      ['body', '{"message":"ab"}'],
      ['timestamp', '1700000000'],
    ]);
  });

  test('of a delivery: timestamp, dot and body', () => {
    const headers: [string, string][] = [['X-Service-Timestamp', '1700000000']];
    const rawBody = Buffer.from('{"a":1}');
    const arrival: Arrival = { method: 'POST', target: '/hook', headers, rawBody, isTooLarge: false, arrivedAtMs: 0 };
    expect(partTexts(evidenceOfDelivery(arrival, veil).stringToSign)).toEqual([
      ['timestamp', '1700000000'],
      ['separator', '.'],
      ['body', '{"a":1}'],
    ]);
  });

  test('that reach to the end of a text that was cut, and no further', () => {
    const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.alloc(30_000, 'x') };
    const { stringToSign, request } = evidenceOf(exchangeWith({ call }), veil);
    const lengths = stringToSign?.parts?.reduce((sum, { length }) => sum + length, 0);
    expect(lengths).toBe(stringToSign?.text.length);
    expect([stringToSign?.cut, request.body?.cut]).toEqual([true, true]);
  });

  test('unless its bytes are no UTF-8', () => {
    const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from([0xff]) };
    expect(evidenceOf(exchangeWith({ call }), veil).stringToSign).not.toHaveProperty('parts');
  });
});
