import { describe, expect, test } from 'vitest';
import type { Outgoing } from '../model/delivery.ts';
import { webhookSignatureRules } from '../rules/webhook-signature.ts';
import { startMs } from '../testing/webhook-service.ts';
import { signDelivery } from './request.ts';

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
