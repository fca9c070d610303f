import { expect, test } from 'vitest';
import type { Draft } from '../contract/request.ts';
import { evidenceOf } from './evidence.ts';
import { maskFor } from './mask.ts';
import { signedRequest } from './signed-request.ts';
import type { Exchange } from './transport.ts';

const secret = 'evidence-canary-secret-0123456789';
const mask = maskFor(new Map([[secret, '$NFE_APP_SECRET']]));

function exchangeWith(change: Partial<Draft>, answer = 'refused'): Exchange {
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{"message":"a\r\nb"}') };
  const draft: Draft = { call, token: secret, timestamp: '1700000000', ...change };
  const response = { status: 401, headers: [], rawBody: Buffer.from(answer) };
  return { request: signedRequest(draft), response, durationMs: 1 };
}

test('the token shows as the name of its setting, in the header and in the string to sign', () => {
  const evidence = evidenceOf(exchangeWith({}), mask);
  expect(evidence.request.headers).toContainEqual(['token', '$NFE_APP_SECRET']);
  expect(evidence.stringToSign.text).toBe('$NFE_APP_SECRET/openapi/demo/echo{"message":"ab"}1700000000');
});

test.each([
  ['cut', secret.slice(0, -1)],
  ['changed', `X${secret.slice(1)}`],
  ['in the other case', secret.toUpperCase()],
])('a token that is nearly the secret (%s) never shows, not even when the target returns it', (_, token) => {
  const evidence = JSON.stringify(evidenceOf(exchangeWith({ token }, `unknown token ${token}`), mask));
  expect(evidence).not.toContain(token);
  expect(evidence).not.toContain(secret.slice(1, -1));
});

test('a body that is not UTF-8 is shown in base64, with its secret masked', () => {
  const rawBody = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(secret)]);
  const call = { method: 'POST', path: '/openapi/demo/echo', rawBody };
  const { body } = evidenceOf(exchangeWith({ call }), mask).request;
  expect(body).toMatchObject({ encoding: 'base64', bytes: rawBody.length });
  expect(Buffer.from(body?.text ?? '', 'base64').toString('latin1')).toContain('$NFE_APP_SECRET');
});
