import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { maskOf, recomputed, type ShownSignature } from './checksum.ts';

const secret = 'segredo-ç-43';
const rest = '/openapi/demo/echo{"message":"ação"}1795226400';
const md5 = (text: string | Buffer): string => createHash('md5').update(text).digest('hex');

const request: ShownSignature = {
  scheme: 'md5',
  text: `$NFE_APP_SECRET${rest}`,
  encoding: 'utf-8',
  bytes: Buffer.byteLength(secret + rest),
  signature: md5(secret + rest),
};
const delivery: ShownSignature = {
  scheme: 'hmac-sha256',
  text: '1795226400.{"a":"á"}\r\n',
  encoding: 'utf-8',
  bytes: 23,
  signature: createHmac('sha256', secret).update('1795226400.{"a":"á"}\r\n').digest('hex'),
};

test('the MD5 of a known string is the one of RFC 1321', () => {
  const shown = { ...request, text: 'message digest', bytes: 14, signature: 'f96b697d7cb7938d525a2f31aaf161d0' };
  expect(recomputed(shown, '')).toEqual({ kind: 'matches', computed: shown.signature });
});

test('the HMAC of a known string is the one of RFC 4231, case 2', () => {
  const signature = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
  const shown = { ...delivery, text: 'what do ya want for nothing?', bytes: 28, signature };
  expect(recomputed(shown, 'Jefe')).toEqual({ kind: 'matches', computed: signature });
});

test.each([
  ['request', request],
  ['delivery', delivery],
])('the right secret matches the signature of a %s, another of its length differs', (_, shown) => {
  expect(recomputed(shown, secret)).toEqual({ kind: 'matches', computed: shown.signature });
  expect(recomputed(shown, 'outro-sg-ç-0')).toMatchObject({ kind: 'differs' });
});

test('a signature that was sent in capitals differs from the one computed', () => {
  const shown = { ...request, signature: request.signature.toUpperCase() };
  expect(recomputed(shown, secret)).toEqual({ kind: 'differs', computed: request.signature });
});

test('a secret with the signs of a replacement pattern is taken as it is', () => {
  const odd = "$&$1$'";
  const shown = { ...request, bytes: Buffer.byteLength(odd + rest), signature: md5(odd + rest) };
  expect(recomputed(shown, odd).kind).toBe('matches');
});

test('bytes that are not UTF-8 are computed from their base64', () => {
  const body = Buffer.from([0xff, 0xfe, 0x00]);
  const text = Buffer.concat([Buffer.from('$NFE_APP_SECRET'), body]).toString('base64');
  const signature = md5(Buffer.concat([Buffer.from(secret), body]));
  const shown = { ...request, text, encoding: 'base64', bytes: Buffer.byteLength(secret) + 3, signature };
  expect(recomputed(shown, secret)).toEqual({ kind: 'matches', computed: signature });
});

test('with a secret of another length the number of bytes tells that something does not fit', () => {
  expect(recomputed(request, 'x')).toEqual({ kind: 'length', bytes: 1 + Buffer.byteLength(rest) });
});

test('a text that was shortened, or has another secret masked, is not computed', () => {
  expect(recomputed({ ...request, bytes: 30_000 }, secret)).toEqual({ kind: 'incomplete' });
  expect(recomputed({ ...delivery, text: '1795226400.{"a":"$NFE_CPF"}' }, secret)).toEqual({ kind: 'incomplete' });
});

test.each([
  ['$NFE_APP_SECRET_UNSUBSCRIBED/openapi/x', '$NFE_APP_SECRET_UNSUBSCRIBED'],
  ['(another token of 43 characters)/openapi/x', '(another token of 43 characters)'],
  ['/openapi/$X', undefined],
])('of %s without parts the mask is %s', (text, mask) => {
  expect(maskOf({ ...request, text })).toBe(mask);
});

test.each([
  ['$NFE_APP_SECRETOPENAPI/x', 15, '$NFE_APP_SECRET'],
  ['$NFE_APP_SECRETX1/x', 17, '$NFE_APP_SECRETX1'],
  ['x$NFE_APP_SECRET/x', 16, 'x$NFE_APP_SECRET'],
  ['tk/openapi/x', 2, undefined],
  ['$NFE_APP_SECRET/x', 0, undefined],
])('of %s with a token part of %d characters the mask is %s', (text, tokenLength, mask) => {
  expect(maskOf({ ...request, text, tokenLength })).toBe(mask);
});
