import { describe, expect, test } from 'vitest';
import type { Application } from '../model/application.ts';
import { runningReceiver, type Address, type Script } from '../testing/receiver.ts';
import { webhookServices, type WebhookService } from '../testing/webhook-service.ts';

const receiver = runningReceiver();
const opened = webhookServices();
const aDay = 24 * 3600;

interface Failing {
  readonly service: WebhookService;
  readonly application: Application;
  readonly address: Address;
  /** Pushes so many events, one after the other. */
  readonly push: (events: number) => Promise<void>;
  readonly states: () => string[];
}

async function failing(events: number, script: Script = () => 500): Promise<Failing> {
  const service = opened();
  const application = service.application();
  const address = receiver.address(script);
  service.register(application, address.url);
  const push = async (count: number): Promise<void> => {
    for (let pushed = 0; pushed < count; pushed++) {
      service.push(application, 'issuance');
      await service.advance(application, 0);
    }
  };
  await push(events);
  const states = (): string[] => service.deliveriesOf(application).map(({ state }) => state);
  return { service, application, address, push, states };
}

describe('the circuit breaker', () => {
  test('lets nine failures in a row pass', async () => {
    const { states } = await failing(9);
    expect(new Set(states())).toEqual(new Set(['pending']));
  });

  test('opens with the tenth, over all events: what waits is held and nothing more is sent', async () => {
    const { service, application, address, states } = await failing(10);
    expect(new Set(states())).toEqual(new Set(['held']));
    expect(service.deliveriesOf(application).every(({ nextAttemptMs }) => nextAttemptMs === null)).toBe(true);
    await service.advance(application, aDay);
    expect(address.arrivals).toHaveLength(10);
  });

  test('holds new events while it is open', async () => {
    const { address, push, states } = await failing(10);
    await push(3);
    expect(states().slice(10)).toEqual(['held', 'held', 'held']);
    expect(address.arrivals).toHaveLength(10);
  });

  test('counts afresh after a success', async () => {
    const { push, states } = await failing(19, (_, index) => (index === 9 ? 200 : 500));
    expect(states().filter((state) => state === 'held')).toEqual([]);
    await push(1);
    expect(states().filter((state) => state === 'held')).toHaveLength(19);
  });

  test('closes when its address is registered again: held events go out at once, on the rung where they were', async () => {
    const { service, application, address, states } = await failing(10);
    address.script = (_, index) => (index === 10 ? 500 : 200);
    service.register(application, address.url);
    await service.advance(application, 0);
    expect(address.arrivals).toHaveLength(20);
    expect(states().filter((state) => state === 'delivered')).toHaveLength(9);
    await service.advance(application, 299);
    expect(address.arrivals).toHaveLength(20);
    await service.advance(application, 1);
    expect(address.arrivals).toHaveLength(21);
  });

  test('an event that was held before its first attempt has the whole ladder before it', async () => {
    const { service, application, address, push } = await failing(10);
    await push(1);
    const seen = address.arrivals.length;
    const held = service.deliveriesOf(application).at(-1)?.eventId;
    address.script = ({ eventId }) => (eventId === held ? 500 : 200);
    service.register(application, address.url);
    await service.advance(application, aDay);
    expect(address.arrivals.slice(seen).filter(({ eventId }) => eventId === held)).toHaveLength(6);
    expect(service.deliveriesOf(application).at(-1)?.state).toBe('dead');
  });

  test('opens again after ten more failures', async () => {
    const { service, application, address, states } = await failing(10);
    service.register(application, address.url);
    await service.advance(application, 0);
    expect(new Set(states())).toEqual(new Set(['held']));
    expect(address.arrivals).toHaveLength(20);
  });

  test('is of one address: another one of the application gets its callbacks', async () => {
    const { service, application, push } = await failing(10);
    const other = receiver.address();
    service.register(application, other.url);
    await push(2);
    expect(other.arrivals).toHaveLength(2);
  });

  test('is registered again by its own address only', async () => {
    const { service, application, address } = await failing(10);
    service.register(application, receiver.address().url);
    await service.advance(application, aDay);
    expect(address.arrivals).toHaveLength(10);
  });

  test('does not stop verdicts to the same address', async () => {
    const { service, application, address } = await failing(10);
    service.subscribe(application, 'verification', address.url);
    for (let pushed = 0; pushed < 12; pushed++) service.push(application, 'verification');
    await service.advance(application, aDay);
    expect(address.arrivals).toHaveLength(10 + 12 * 6);
  });

  test('leaves what is under way when it opens to its end', async () => {
    const answers: ((status: number) => void)[] = [];
    const { service, application, address, states } = await failing(9);
    address.script = () => new Promise((resolve) => answers.push(resolve));
    for (let pushed = 0; pushed < 3; pushed++) service.push(application, 'issuance');
    await address.arrived(12);
    const [first, second, third] = answers;
    first?.(500);
    while (states()[9] !== 'held') await new Promise(setImmediate);
    service.register(application, address.url);
    second?.(500);
    third?.(200);
    address.script = () => 200;
    await service.advance(application, 0);
    expect(states().slice(9)).toEqual(['delivered', 'pending', 'delivered']);
    await service.advance(application, aDay);
    expect(states()[10]).toBe('delivered');
  });
});
