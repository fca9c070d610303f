import { describe, expect, test } from 'vitest';
import { channels } from '../model/delivery.ts';
import { textLike } from '../testing/matchers.ts';
import { runningReceiver } from '../testing/receiver.ts';
import { startMs, webhookServices } from '../testing/webhook-service.ts';
import { deliveryRequest } from './request.ts';

const receiver = runningReceiver();
const opened = webhookServices();
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

describe('a delivery', () => {
  test.each(channels)('of the channel %s is a POST of JSON with the five headers', async (channel) => {
    const service = opened();
    const application = service.application();
    const address = receiver.address();
    service.subscribe(application, channel, address.url);
    service.push(application, channel, { texto: 'ação' });
    await service.advance(application, 0);
    const [arrival] = address.arrivals;
    expect(arrival).toMatchObject({
      method: 'POST',
      bodyText: `{"eventId":"${arrival?.eventId}","texto":"ação"}`,
      headers: {
        'content-type': 'application/json',
        'x-service-event': 'test.event',
        'x-service-event-id': textLike(uuid),
        'x-service-delivery-id': textLike(uuid),
        'x-service-timestamp': String(startMs / 1000),
        'x-service-signature': textLike(/^[\da-f]{64}$/),
      },
    });
  });

  test('of the issuance channel carries the token that is registered when it is sent', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address((_, index) => (index === 0 ? 500 : 200));
    service.register(application, address.url, 'first token');
    service.push(application, 'issuance');
    await service.advance(application, 0);
    service.register(application, address.url, 'second token');
    await service.advance(application, 60);
    expect(address.arrivals.map(({ headers }) => headers['token'])).toEqual(['first token', 'second token']);
  });

  test('of the verification channel carries no token', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address();
    service.register(application, address.url, 'of the other channel');
    service.subscribe(application, 'verification', address.url);
    service.push(application, 'verification');
    await service.advance(application, 0);
    expect(address.arrivals[0]?.headers).not.toHaveProperty('token');
  });

  test('goes to the address exactly as it was given, query included', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address();
    service.register(application, `${address.url}/a/../b//%7e;c?x=%zz&y='"#fragment`);
    service.push(application, 'issuance');
    await service.advance(application, 0);
    const path = new URL(address.url).pathname;
    expect(address.arrivals[0]?.target).toBe(`${path}/a/../b//%7e;c?x=%zz&y='"`);
  });
});

test('the header prefix is the one that the simulator was given', () => {
  const { appKey } = opened().application();
  const outgoing = {
    appKey,
    channel: 'verification',
    url: 'http://receiver',
    token: null,
    eventId: 'event',
    eventType: 'type',
    rawBody: Buffer.from('{}'),
    createdMs: startMs,
    deliveryId: 'delivery',
    startedMs: startMs,
  } as const;
  const { headers } = deliveryRequest(outgoing, { ...opened(), headerPrefix: 'X-Marca' });
  expect(Object.keys(headers).filter((name) => name.startsWith('X-'))).toEqual([
    'X-Marca-Event',
    'X-Marca-Event-Id',
    'X-Marca-Delivery-Id',
    'X-Marca-Timestamp',
    'X-Marca-Signature',
  ]);
});
