import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { newFolder } from '../../runner/testing/folders.ts';
import { type Application, channels } from '../model.ts';
import {
  type Address,
  runningReceiver,
  secondsOf,
  startMs,
  type WebhookService,
  webhookServices,
} from '../testing/receiver.ts';

const receiver = runningReceiver();
const opened = webhookServices();
const aDay = 24 * 3600;
const silent = (): Promise<number> => new Promise(() => undefined);

let folder = '';
beforeEach(() => {
  folder = newFolder();
});

/** Opens the service of this test's data file, once it was stopped again as well. */
function open(): WebhookService {
  return opened({ dataFile: join(folder, 'data.db') });
}

/** A service that was stopped while an attempt on that rung of the ladder was under way. */
async function interruptedOn(rung: number): Promise<{ application: Application; address: Address }> {
  const service = open();
  const application = service.application();
  const address = receiver.address((_, index) => (index < rung ? 500 : silent()));
  service.register(application, address.url);
  service.push(application, 'issuance');
  for (const seconds of [60, 300, 1800, 7200, 21_600].slice(0, rung)) {
    await service.advance(application, 0);
    await service.advance(application, seconds, 'none');
  }
  await address.arrived(rung + 1);
  await service.stop();
  return { application, address };
}

describe('an attempt that was under way when the simulator ended', () => {
  test('is made again at the next start, under its event id', async () => {
    const { application, address } = await interruptedOn(0);
    address.script = () => 200;
    const service = open();
    await service.advance(application, aDay);
    const [one, other] = address.arrivals;
    expect(address.arrivals).toHaveLength(2);
    expect([other?.eventId, other?.bodyText]).toEqual([one?.eventId, one?.bodyText]);
    expect(service.deliveriesOf(application)).toMatchObject([
      {
        state: 'delivered',
        attempts: [{ status: null, error: 'the simulator ended before the attempt did' }, { status: 200 }],
      },
    ]);
  });

  test.each([0, 2, 5])('on the rung %i uses up no retry', async (rung) => {
    const { application, address } = await interruptedOn(rung);
    address.script = () => 500;
    const service = open();
    await service.advance(application, aDay);
    const ladder = [0, 60, 360, 2160, 9360, 30_960];
    expect(secondsOf(address)).toEqual([...ladder.slice(0, rung + 1), ...ladder.slice(rung)]);
    expect(service.deliveriesOf(application)).toMatchObject([{ state: 'dead' }]);
  });

  test('counts as no failure for the breaker', async () => {
    const { application } = await interruptedOn(3);
    const service = open();
    const [target] = service.state.webhooks.targetsOf(application.appKey, 'issuance');
    expect(target?.breaker).toEqual({ failuresInARow: 3, isOpen: false });
  });

  test('was a re-push: it is made again', async () => {
    const service = open();
    const application = service.application();
    const address = receiver.address();
    service.register(application, address.url);
    service.push(application, 'issuance');
    await service.advance(application, 0);
    address.script = silent;
    const [delivered] = service.state.outbox.deliveriesOf(application.appKey, address.arrivals[0]?.eventId ?? '');
    const { appKey } = application;
    service.state.outbox.plan({ delivery: 0, targetId: 0, ...delivered, appKey }, 'manual', startMs);
    service.timeline.touch(appKey);
    await address.arrived(2);
    await service.stop();
    address.script = () => 200;
    await open().advance(application, 0);
    expect(address.arrivals).toHaveLength(3);
  });

  test('of a held delivery waits for its breaker', async () => {
    const service = open();
    const application = service.application();
    const address = receiver.address((_, index) => (index < 10 ? 500 : silent()));
    service.register(application, address.url);
    for (let pushed = 0; pushed < 9; pushed++) service.push(application, 'issuance');
    await service.advance(application, 0);
    address.script = (_, index) => (index === 9 ? 500 : silent());
    service.push(application, 'issuance');
    service.push(application, 'issuance');
    while (service.deliveriesOf(application)[10]?.state !== 'held') await new Promise(setImmediate);
    await service.stop();
    const next = open();
    await next.advance(application, aDay);
    expect(address.arrivals).toHaveLength(11);
    address.script = () => 200;
    next.register(application, address.url);
    await next.advance(application, 0);
    expect(new Set(next.deliveriesOf(application).map(({ state }) => state))).toEqual(new Set(['delivered']));
  });
});

describe('after a restart', () => {
  test.each(channels)('a retry of the channel %s comes at its time', async (channel) => {
    const before = open();
    const application = before.application();
    const address = receiver.address(() => 500);
    before.subscribe(application, channel, address.url);
    before.push(application, channel);
    await before.advance(application, 100);
    await before.stop();
    const after = open();
    await after.advance(application, 259);
    expect(secondsOf(address)).toEqual([0, 60]);
    await after.advance(application, 1);
    expect(secondsOf(address)).toEqual([0, 60, 360]);
  });

  test('on the system clock what came due meanwhile goes out by itself', async () => {
    const before = open();
    const application = before.application('system');
    const address = receiver.address(silent);
    before.subscribe(application, 'verification', address.url);
    before.push(application, 'verification');
    await address.arrived(1);
    await before.stop();
    address.script = () => 200;
    open();
    await address.arrived(2);
    expect(address.arrivals[1]?.eventId).toBe(address.arrivals[0]?.eventId);
  });
});
