import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../model/delivery.ts';
import { webhookSignatureRules } from '../rules/webhook-signature.ts';
import { runningReceiver } from '../testing/receiver.ts';
import { startMs, webhookServices } from '../testing/webhook-service.ts';
import { signDelivery } from './webhook-signature.ts';

const receiver = runningReceiver();
const opened = webhookServices();

const outgoing: Outgoing = {
  appKey: 'app',
  channel: 'issuance',
  url: 'http://receiver',
  token: 'registered-token',
  eventId: 'event',
  eventType: 'type',
  rawBody: Buffer.from('{"nfeId":"ç 1","a":[1, 2]}'),
  createdMs: 0,
  deliveryId: 'delivery',
  startedMs: startMs + 999,
};

// Computed with: printf '%s' '<timestamp>.<body>' | openssl dgst -sha256 -hmac '<key>'
describe('signature', () => {
  test.each([
    ['of a body', {}, 'segredo-ç/+=', '1065168b0abb149849fedf9c5c77b353a3ce60862cf65a0c86b10eb3ce7440b0'],
    [
      'of no body',
      { rawBody: Buffer.alloc(0) },
      'k',
      '2d2000539632175f503c61f3e793b0352bc0e3d50e37af1cf32fa61f1d055f3f',
    ],
    [
      'of bytes that are no text',
      { rawBody: Buffer.from([0xff, 0, 13, 10]), startedMs: 5000 },
      'k',
      '8f9b2e0d20b2696b879b9c58686ded6f7521e5901919424c0f645be9c0ba263b',
    ],
  ])('%s is what openssl computes', (_what, changes, key, signature) => {
    const signed = signDelivery({ ...outgoing, ...changes }, ['old', key], webhookSignatureRules);
    expect(signed.signature).toBe(signature);
  });

  test('the timestamp is the whole seconds of the attempt', () => {
    expect(signDelivery(outgoing, ['k'], webhookSignatureRules).timestamp).toBe('1936776600');
  });
});

describe('a delivery', () => {
  test('is signed anew on each attempt, with the timestamp of that attempt', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address((_, index) => (index < 2 ? 500 : 200));
    service.subscribe(application, 'verification', address.url);
    service.push(application, 'verification');
    await service.advance(application, 600);
    const instantsMs = [0, 60_000, 360_000];
    const secrets = service.state.applications.secretsOf(application.appKey);
    for (const [index, { headers, rawBody }] of address.arrivals.entries()) {
      const attempt = { ...outgoing, rawBody, startedMs: startMs + (instantsMs[index] ?? 0) };
      const { timestamp, signature } = signDelivery(attempt, secrets, webhookSignatureRules);
      expect(headers).toMatchObject({ 'x-service-timestamp': timestamp, 'x-service-signature': signature });
    }
    expect(address.arrivals).toHaveLength(3);
  });

  test('made before a rotation is signed with the new secret when it is retried', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address((_, index) => (index === 0 ? 500 : 200));
    service.subscribe(application, 'verification', address.url);
    service.push(application, 'verification');
    await service.advance(application, 0);
    const fresh = service.state.applications.rotate(application.appKey, (_old, fresh) => [fresh]) ?? '';
    await service.advance(application, 60);
    const [, retry] = address.arrivals;
    const attempt = { ...outgoing, rawBody: retry?.rawBody ?? Buffer.alloc(0), startedMs: startMs + 60_000 };
    const { signature } = signDelivery(attempt, [fresh], webhookSignatureRules);
    expect(retry?.headers['x-service-signature']).toBe(signature);
  });
});
