import { describe, expect, test } from 'vitest';
import { codes, type PlatformCode } from '../../contract/values.ts';
import type { Draft } from '../../contract/request.ts';
import { signedRequest } from '../../client/sign.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { echoCall } from '../../generators/calls.ts';
import { Deviation } from './deviation.ts';
import { refusalText } from './reply.ts';
import { wronglyRefused } from './diagnosis.ts';
import { signedFor } from './recipes.ts';

const nowSeconds = 1_790_000_000;
const right: Draft = {
  call: echoCall('a'),
  token: 'Secret-1',
  timestamp: String(nowSeconds),
  origin: { appSecret: 'Secret-1', nowSeconds },
};

function exchangeOf(draft: Draft, { status, code }: PlatformCode = codes.signMismatch): Exchange {
  const rawBody = Buffer.from(JSON.stringify({ code, success: false }));
  return { request: signedRequest(draft), response: { status, headers: [], rawBody }, durationMs: 1 };
}

const error = new Deviation({ expected: 'accepted by the gateway', actual: '401, code 10009003' });

describe('a refusal as a mismatch is wrong', () => {
  test.each<[string, Draft]>([
    ['of the right sign', right],
    [
      'of the right sign under header names in another case',
      { ...right, headerNames: { token: 'Token', timestamp: 'TIMESTAMP', sign: 'Sign' } },
    ],
    [
      'of the right sign that was made for another call with the same ingredients',
      signedFor(echoCall('a'))({ ...right, call: { ...right.call, query: 'a=1' } }),
    ],
  ])('%s', (_, draft) => {
    const exchange = exchangeOf(draft);
    expect(wronglyRefused([exchange], error)).toBe(exchange);
  });

  test('though other requests came after it', () => {
    const exchange = exchangeOf(right);
    expect(wronglyRefused([exchange, exchangeOf(right, codes.retired)], error)).toBe(exchange);
  });
});

describe('a refusal is not wrongly one of the sign', () => {
  test.each<[string, Exchange]>([
    ['where the sign is another', exchangeOf({ ...right, sign: () => '0'.repeat(32) })],
    ['where the token is not the application’s', exchangeOf({ ...right, token: 'other' })],
    ['where the timestamp is not that of now', exchangeOf({ ...right, timestamp: '1' })],
    ['where the token was left out', exchangeOf({ ...right, omit: ['token'] })],
  ])('%s', (_, exchange) => {
    expect(wronglyRefused([exchange], error)).toBeUndefined();
  });

  test('where the deviation is about another answer', () => {
    const other = new Deviation({ expected: '200', actual: '500, no code' });
    expect(wronglyRefused([exchangeOf(right)], other)).toBeUndefined();
  });

  test('where it has another code', () => {
    const other = new Deviation({ expected: 'accepted by the gateway', actual: '401, code 10009001' });
    expect(wronglyRefused([exchangeOf(right, codes.timestampInvalid)], other)).toBeUndefined();
  });

  test('where the token was to be refused', () => {
    const other = new Deviation({ expected: refusalText(codes.tokenInvalid), actual: '401, code 10009003' });
    expect(wronglyRefused([exchangeOf(right)], other)).toBeUndefined();
  });
});
