import { describe, expect, test } from 'vitest';
import { servedBy } from '../targets/testing/served.ts';
import { backoffMs, send, sendPatiently } from './send.ts';
import { signedRequest } from './sign.ts';

const rawBody = Buffer.from('{"message":"olá"}\r\n');
const call = { method: 'POST', path: '/openapi/demo/echo', query: 'a=1&&b', contentType: 'application/json', rawBody };
const signed = signedRequest({ call, token: 'secret', timestamp: '1725451200' });

test('a signed request goes out with its path and its bytes as they were signed, behind the prefix of the service', async () => {
  const seen: unknown[] = [];
  const baseUrl = await servedBy((incoming, outgoing) => {
    incoming.on('data', (chunk: Buffer) => {
      seen.push(incoming.url, chunk.toString(), incoming.headers['sign']);
      outgoing.end('answer');
    });
  });
  const { status, rawBody: answer } = await send(signed, { baseUrl: `${baseUrl}/gateway` });
  expect([status, answer.toString()]).toEqual([200, 'answer']);
  const sign = signed.headers.find(([name]) => name === 'sign')?.[1];
  expect(seen).toEqual(['/gateway/openapi/demo/echo?a=1&&b', rawBody.toString(), sign]);
});

describe('an answer', () => {
  test.each([401, 403])('errors.client-does-not-repeat: a request that got %i goes out once', async (status) => {
    let requests = 0;
    const baseUrl = await servedBy((_, outgoing) => {
      requests += 1;
      outgoing.writeHead(status).end();
    });
    expect((await sendPatiently(() => signed, { baseUrl })).status).toBe(status);
    expect(requests).toBe(1);
  });

  test('of 429 is followed by another try, signed anew', async () => {
    let requests = 0;
    const baseUrl = await servedBy((_, outgoing) => outgoing.writeHead((requests += 1) === 1 ? 429 : 200).end());
    let signatures = 0;
    const answer = await sendPatiently(() => ((signatures += 1), signed), { baseUrl });
    expect([answer.status, requests, signatures]).toEqual([200, 2, 2]);
  });
});

test('rate-limit.client-backs-off: the backoff after a 429 doubles from 1 s to 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 6].map((attempt) => backoffMs(attempt, () => 0))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
});

test('jitter takes at most half of the backoff away', () => {
  expect(backoffMs(3, () => 0.999)).toBeGreaterThanOrEqual(4000);
  expect(backoffMs(3, () => 0.999)).toBeLessThan(4100);
});
