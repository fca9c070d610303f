import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { SettingError } from './settings.ts';
import { startSimulator } from './start.ts';
import { echoCall, send, controlCall, type Running, runningAt } from './testing/call.ts';
import { join } from 'node:path';
import { newFolder } from '../runner/testing/folders.ts';
import { member } from '../schemas/values.ts';
import { type Address, runningReceiver } from './testing/receiver.ts';
import { profileXml, type TestVerifier, verifierOf } from './testing/documents.ts';

describe('starting', () => {
  test('without options it takes a free port of 127.0.0.1 and offers the control API', async () => {
    const simulator = await startSimulator();
    expect(simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(simulator.controlUrl).toBe(simulator.baseUrl);
    expect(Buffer.from(simulator.controlToken ?? '', 'base64url')).toHaveLength(32);
    expect(await controlCall(simulator, 'GET', '/')).toMatchObject({ status: 200 });
    await simulator.stop();
  });

  test('an IPv6 address stands in brackets', async () => {
    const simulator = await startSimulator({ host: '::1' });
    expect(simulator.baseUrl).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect(simulator.controlToken).toBeDefined();
    await simulator.stop();
  });

  test('elsewhere than on loopback there is no control API without a token of one own choice', async () => {
    const simulator = await startSimulator({ host: '0.0.0.0' });
    expect([simulator.controlUrl, simulator.controlToken]).toEqual([undefined, undefined]);
    expect(simulator.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:/);
    await simulator.stop();
    const controlled = await startSimulator({ host: '0.0.0.0', controlToken: 'chosen' });
    expect(await controlCall(controlled, 'GET', '/')).toMatchObject({ status: 200 });
    await controlled.stop();
  });

  test('the ready application can call, and is the same at every call', async () => {
    const simulator = await startSimulator();
    const { appKey, appName, appSecret } = simulator.readyApplication();
    const echoed = await send(simulator.baseUrl, echoCall(appSecret));
    expect(echoed).toMatchObject({ status: 200, json: { data: { appKey, appName } } });
    expect(simulator.readyApplication()).toEqual({ appKey, appName, appSecret });
    await simulator.stop();
  });

  test('two simulators know nothing of each other', async () => {
    const [one, other] = [await startSimulator(), await startSimulator()];
    const { appSecret } = one.readyApplication();
    expect(await send(other.baseUrl, echoCall(appSecret))).toMatchObject({ status: 401, json: { code: 10009002 } });
    await Promise.all([one.stop(), other.stop()]);
  });

  test.each([
    ['host', { host: '' }],
    ['host', { host: '192.0.2.1' }],
    ['port', { port: 70_000 }],
    ['controlToken', { controlToken: '' }],
    ['controlToken', { controlToken: 'two words' }],
    ['dataFile', { dataFile: '' }],
    ['headerPrefix', { headerPrefix: '' }],
    ['headerPrefix', { headerPrefix: 'X Service' }],
    ['headerPrefix', { headerPrefix: 'X-Service-' }],
  ])('a %s that can not be is refused: %j', async (setting, options) => {
    const failure: unknown = await startSimulator(options).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SettingError);
    expect(failure).toHaveProperty('setting', setting);
  });
});

describe('stopping', () => {
  test('closes idle connections and those in the middle of a request', async () => {
    const simulator = await startSimulator();
    const socket = connect(Number(new URL(simulator.baseUrl).port), '127.0.0.1');
    socket.on('error', () => undefined);
    await new Promise((resolve) => socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n', resolve));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await Promise.all([simulator.stop(), closed]);
    await expect(send(simulator.baseUrl, { target: '/' })).rejects.toThrow(/ECONNREFUSED/);
  });

  test('twice is as good as once', async () => {
    const simulator = await startSimulator();
    await Promise.all([simulator.stop(), simulator.stop()]);
    await expect(simulator.stop()).resolves.toBeUndefined();
  });
});

const receiver = runningReceiver();

async function save(at: Running, { appKey }: TestVerifier, { url, arrivals }: Address): Promise<void> {
  await at.control('PUT', `/applications/${appKey}/verification-webhook`, { urls: [url] });
  arrivals.length = 0;
}

/** The verdicts that came, oldest first. */
function verdictsAt({ arrivals }: Address): unknown[] {
  return arrivals.map(({ bodyText }): unknown => member(JSON.parse(bodyText), 'data'));
}

test('a verification that waited while the simulator was down settles at its next start', async () => {
  const dataFile = join(newFolder(), 'state.sqlite');
  const first = await startSimulator({ dataFile });
  const running = runningAt(() => first);
  const application = await running.application({ clock: '2031-05-17T09:30:00Z', settleSeconds: 60 });
  const before = verifierOf(running, application);
  const address = receiver.address();
  await save(running, before, address);
  await before.verify(profileXml('autorizada'));
  await first.stop();
  const second = await startSimulator({ dataFile });
  try {
    await verifierOf(
      runningAt(() => second),
      application,
    ).advance(60);
    expect(verdictsAt(address)).toMatchObject([{ validationStatus: 'VALIDATED' }]);
  } finally {
    await second.stop();
  }
});
