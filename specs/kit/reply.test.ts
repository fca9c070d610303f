import { expect, test } from 'vitest';
import type { Exchange } from '../../trace/exchange.ts';
import { isUnreadable } from './reply.ts';

function answered(target: string, status: number, body: string): Exchange {
  return {
    request: {
      method: 'POST',
      target,
      headers: [],
      parts: { token: '', path: target, body: Buffer.alloc(0), timestamp: '0' },
    },
    response: { status, headers: [], rawBody: Buffer.from(body) },
    durationMs: 1,
  };
}

test.each<[string, string, number, string, boolean]>([
  ['a word from an endpoint that promises JSON', '/openapi/v2/empresas', 200, 'OK', true],
  [
    'a word for a certificate, whose answer is shown nowhere',
    '/openapi/v1/empresas/1/certificadoDigital',
    200,
    'OK',
    false,
  ],
  ['a word for an address, whose answer is shown nowhere', '/openapi/v1/webhooks', 200, 'OK', false],
  ['a word for a refused address', '/openapi/v1/webhooks', 401, 'OK', true],
  ['nothing', '/openapi/v2/empresas', 200, '', false],
])('%s is read as that', (_, target, status, body, unreadable) => {
  expect(isUnreadable(answered(target, status, body))).toBe(unreadable);
});
