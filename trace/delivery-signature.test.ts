import { expect, test } from 'vitest';
import { createHmac } from 'node:crypto';
import { signatureOf, tokenAmong } from './delivery-signature.ts';

const appSecret = 'an-app-secret-0123456789';
const registered = 'Um-Token-de-32-caracteres-0123456';

test.each([
  [registered, { hasToken: true }],
  ['another', { hasToken: false }],
  [appSecret, { hasToken: false, tokenHint: 'the App Secret' }],
  ['', { hasToken: false }],
  [
    registered.slice(0, 16),
    { hasToken: false, tokenHint: 'the first 16 of the 33 characters of the registered token' },
  ],
  [registered.slice(-16), { hasToken: false, tokenHint: 'the last 16 of the 33 characters of the registered token' }],
  [registered.toLowerCase(), { hasToken: false, tokenHint: 'the registered token in other letters' }],
  [`"${registered}"`, { hasToken: false, tokenHint: 'the registered token with something around it' }],
])('a token that came as %j is %j', (came, told) => {
  const arrival = {
    method: 'POST',
    target: '/',
    httpVersion: '1.1',
    headers: [['Token', came] as const],
    rawBody: Buffer.from('{}'),
    body: Buffer.from('{}'),
    arrivedAtMs: 0,
    isTooLarge: false,
  };
  expect(tokenAmong(arrival, ['a token of before', registered], [appSecret])).toEqual(told);
});

const json = '{"motivo":"rejeição","itens":[1,{"a":null}]}';
const hmac = (text: string | Buffer): string => createHmac('sha256', appSecret).update(text).digest('hex');

test.each([
  [hmac(`1.${json}`), undefined],
  [`sha256=${hmac(`1.${json}`)}`, 'the signature has something around it'],
  [hmac(Buffer.from(`1.${json}`, 'latin1')), 'the signature is made of the body in Latin-1'],
  [
    hmac('1.{"motivo": "rejeição", "itens": [1, {"a": null}]}'),
    'the signature is made of the JSON written anew with spaces',
  ],
  [
    hmac('1.{"motivo": "rejei\\u00e7\\u00e3o", "itens": [1, {"a": null}]}'),
    'the signature is made of the JSON written anew with spaces and escapes',
  ],
])('a signature %s is told as %j', (signature, hint) => {
  const arrival = {
    method: 'POST',
    target: '/',
    httpVersion: '1.1',
    headers: [['X-A-Timestamp', '1'] as const, ['X-A-Signature', signature] as const],
    rawBody: Buffer.from(json),
    body: Buffer.from(json),
    arrivedAtMs: 0,
    isTooLarge: false,
  };
  const told = signatureOf(arrival, { secrets: [appSecret], token: undefined, appKey: undefined, headerPrefix: 'X-A' });
  expect(told.signatureHint).toBe(hint);
});
