import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { request } from 'undici';
import { portOf } from '../targets/testing/served.ts';
import { receiving } from './receive.ts';
import { deliverySignature } from './verify-delivery.ts';

const appSecret = 'segredo-ficticio';
const taken: unknown[] = [];
const server = createServer(
  receiving({
    appSecret,
    headerPrefix: 'X-Service',
    token: 't-1',
    take: (event) => {
      if (taken.push(event) === 1) throw new Error('it could not be stored');
      return Promise.resolve();
    },
  }),
);
const url = `http://127.0.0.1:${await portOf(server)}/`;

async function delivered(eventId: string, changes: Record<string, string> = {}, body = '{"a": 1}'): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = {
    token: 't-1',
    'X-Service-Event-Id': eventId,
    'X-Service-Timestamp': timestamp,
    'X-Service-Signature': deliverySignature(appSecret, timestamp, Buffer.from(body)),
    ...changes,
  };
  const { statusCode, body: answer } = await request(url, { method: 'POST', headers, body });
  await answer.dump();
  return statusCode;
}

test('webhook-delivery.receiver-idempotent: an event that comes again is acknowledged, and taken once, when it could be', async () => {
  expect([await delivered('e-1'), await delivered('e-1'), await delivered('e-1')]).toEqual([500, 200, 200]);
  expect(taken).toEqual([{ a: 1 }, { a: 1 }]);
});

test('webhook-delivery.receiver-within-10-seconds: an event is acknowledged at once', async () => {
  const startedMs = performance.now();
  expect(await delivered('e-2')).toBe(200);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
});

test.each([
  ['with another signature', { 'X-Service-Signature': 'a'.repeat(64) }, '{}', 401],
  ['with another token', { token: 't-2' }, '{}', 401],
  ['that is no event', {}, 'no JSON', 500],
  ['that is too large', {}, ' '.repeat(2_000_000), 413],
])('a delivery %s is not acknowledged', async (_, changes, body, status) => {
  expect(await delivered('e-3', changes, body)).toBe(status);
});
