import { afterEach, expect, test } from 'vitest';
import { followDeliveries, hostDeliveries, type SharedArrival } from './shared-deliveries.ts';

const name = 'shared-deliveries-test';
const open: { close(): void }[] = [];
afterEach(() => {
  for (const side of open.splice(0)) side.close();
});

function host() {
  const side = hostDeliveries(name);
  open.push(side);
  return side;
}

function follower() {
  const side = followDeliveries(name);
  open.push(side);
  return side;
}

function arrival(text: string): SharedArrival {
  const rawBody = Buffer.from(text);
  return {
    method: 'POST',
    target: '/a',
    headers: [['token', 't']],
    rawBody,
    isTooLarge: false,
    arrivedAtMs: 1,
    channel: 'issuance',
  };
}

test('every thread that follows sees an arrival whole, its bytes as a Buffer', async () => {
  const [one, other, receiver] = [follower(), follower(), host()];
  expect(receiver.arrived(arrival('a'))).toEqual({ status: 200 });
  for (const side of [one, other]) await expect.poll(() => side.arrivals()).toEqual([arrival('a')]);
});

test('what contains a text is refused so many times, and nothing else', async () => {
  const [side, receiver] = [follower(), host()];
  await side.refuse('nfe-1', 2);
  const answers = ['nfe-2', 'x nfe-1 x', 'nfe-1', 'nfe-1'].map((text) => receiver.arrived(arrival(text)));
  expect(answers).toEqual([{ status: 200 }, { status: 500 }, { status: 500 }, { status: 200 }]);
});

test('what contains a text fails as it is told', async () => {
  const [side, receiver] = [follower(), host()];
  await side.refuse('nfe-1', 1, 'hang-up');
  await side.refuse('nfe-2', 1, { status: 302, headers: [['location', '/b']] });
  expect(receiver.arrived(arrival('nfe-1'))).toBe('hang-up');
  expect(receiver.arrived(arrival('nfe-2'))).toEqual({ status: 302, headers: [['location', '/b']] });
  expect(receiver.arrived(arrival('nfe-2'))).toEqual({ status: 200 });
});

test('a thread forgets the oldest of too many deliveries, in whose places nothing is left, and keeps the latest', async () => {
  const [side, receiver] = [follower(), host()];
  const large = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 40; at++) receiver.arrived(arrival(`${at} ${large}`));
  receiver.arrived(arrival('the last'));
  await expect.poll(() => side.arrivals().length).toBe(41);
  const [first] = side.arrivals();
  expect(first).toMatchObject({ rawBody: Buffer.alloc(0), headers: [], isTooLarge: true });
  expect(side.arrivals().at(-1)).toEqual(arrival('the last'));
  const kept = side.arrivals().reduce((sum, { rawBody }) => sum + rawBody.length, 0);
  expect(kept).toBeLessThanOrEqual(32 * 1024 * 1024);
});
