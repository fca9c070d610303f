import { describe, expect, test } from 'vitest';
import { channels } from '../model/delivery.ts';
import { anyText, textLike } from '../testing/matchers.ts';
import { runningReceiver, type Address } from '../testing/receiver.ts';
import { startMs, webhookServices } from '../testing/webhook-service.ts';

const receiver = runningReceiver();
const opened = webhookServices();
const aDay = 24 * 3600;
const ladderSeconds = [0, 60, 360, 2160, 9360, 30960];

/** When deliveries came, in seconds since the start of the test clock. */
function secondsOf({ arrivals }: Pick<Address, 'arrivals'>): number[] {
  return arrivals.map(({ timestamp }) => timestamp - startMs / 1000);
}

describe.each(channels)('a delivery of the channel %s', (channel) => {
  test('that always fails is tried on six instants, then it is dead', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address(() => 500);
    service.subscribe(application, channel, address.url);
    service.push(application, channel);
    await service.advance(application, aDay);
    expect(secondsOf(address)).toEqual(ladderSeconds);
    expect(service.deliveriesOf(application)).toMatchObject([{ state: 'dead', nextAttemptMs: null }]);
  });

  test('keeps its event id and its body; the delivery id is of the attempt', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address(() => 500);
    service.subscribe(application, channel, address.url);
    service.push(application, channel);
    await service.advance(application, aDay);
    const of = (field: 'eventId' | 'bodyText' | 'deliveryId'): number =>
      new Set(address.arrivals.map((arrival) => arrival[field])).size;
    expect([of('eventId'), of('bodyText'), of('deliveryId')]).toEqual([1, 1, ladderSeconds.length]);
  });

  test.each([200, 201, 202, 204, 206, 226, 299])('is acknowledged by %i', async (status) => {
    const service = opened();
    const application = service.application();
    const address = receiver.address(() => status);
    service.subscribe(application, channel, address.url);
    service.push(application, channel);
    await service.advance(application, aDay);
    expect(secondsOf(address)).toEqual([0]);
    expect(service.deliveriesOf(application)).toMatchObject([{ state: 'delivered', nextAttemptMs: null }]);
  });

  test.each([300, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'is retried after %i, which leads nowhere else',
    async (status) => {
      const service = opened();
      const application = service.application();
      const elsewhere = receiver.address();
      const address = receiver.address((_, index) =>
        index === 0 ? (response) => response.writeHead(status, { location: elsewhere.url }).end() : 200,
      );
      service.subscribe(application, channel, address.url);
      service.push(application, channel);
      await service.advance(application, aDay);
      expect(secondsOf(address)).toEqual([0, 60]);
      expect(elsewhere.arrivals).toEqual([]);
      expect(service.deliveriesOf(application)).toMatchObject([{ state: 'delivered', attempts: [{ status }, {}] }]);
    },
  );

  test('is retried after a connection that is cut', async () => {
    const service = opened();
    const application = service.application();
    const address = receiver.address((_, index) => (index === 0 ? 'reset' : 200));
    service.subscribe(application, channel, address.url);
    service.push(application, channel);
    await service.advance(application, aDay);
    expect(secondsOf(address)).toEqual([0, 60]);
    const [delivery] = service.deliveriesOf(application);
    expect(delivery?.attempts).toMatchObject([
      { status: null, error: anyText },
      { status: 200, error: null },
    ]);
  });

  test('that nobody takes is tried until it is dead', async () => {
    const service = opened();
    const application = service.application();
    service.subscribe(application, channel, 'http://127.0.0.1:9/nobody');
    service.push(application, channel);
    await service.advance(application, aDay);
    const attempts = ladderSeconds.map((seconds) => ({
      startedMs: startMs + seconds * 1000,
      status: null,
      error: textLike(/ECONNREFUSED/),
    }));
    expect(service.deliveriesOf(application)).toMatchObject([{ state: 'dead', attempts }]);
  });

  test('goes to every address under one event id, each with retries of its own', async () => {
    const service = opened();
    const application = service.application();
    const addresses = [
      receiver.address(),
      receiver.address(() => 500),
      receiver.address((_, at) => (at < 2 ? 404 : 200)),
    ];
    service.subscribe(application, channel, ...addresses.map(({ url }) => url));
    service.push(application, channel);
    await service.advance(application, aDay);
    expect(addresses.map(secondsOf)).toEqual([[0], ladderSeconds, [0, 60, 360]]);
    expect(new Set(addresses.flatMap(({ arrivals }) => arrivals.map(({ eventId }) => eventId))).size).toBe(1);
  });
});

test('an event of one channel goes to no address of the other, nor of another application', async () => {
  const service = opened();
  const [application, other] = [service.application(), service.application()];
  const [issuance, verification, foreign] = [receiver.address(), receiver.address(), receiver.address()];
  service.subscribe(application, 'issuance', issuance.url);
  service.subscribe(application, 'verification', verification.url);
  service.subscribe(other, 'issuance', foreign.url);
  service.push(application, 'issuance');
  await service.advance(application, 0);
  await service.advance(other, 0);
  expect([issuance, verification, foreign].map(({ arrivals }) => arrivals.length)).toEqual([1, 0, 0]);
});

test('on the system clock retries come by themselves', async () => {
  const rules = { webhookDelivery: { ...opened().rules.webhookDelivery, retryDelaysSeconds: [0.01, 0.02] } };
  const service = opened({ rules });
  const application = service.application('system');
  const address = receiver.address((_, index) => (index < 2 ? 500 : 200));
  service.subscribe(application, 'verification', address.url);
  service.push(application, 'verification');
  await address.arrived(3);
  const [first, second] = service.deliveriesOf(application)[0]?.attempts ?? [];
  expect((second?.startedMs ?? 0) - (first?.startedMs ?? 0)).toBeGreaterThanOrEqual(10);
});
