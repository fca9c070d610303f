import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { member } from '../../schemas/values.ts';
import { startSimulator } from '../start.ts';
import { foreignDocument } from '../testing/nfe-documents.ts';
import { runningReceiver, type Address } from '../testing/receiver.ts';
import { controlCall, runningSimulator, textIn, type Running } from '../testing/running.ts';
import { profileXml, testVerifier, verdictIn, verifierOf, type TestVerifier } from '../testing/verifier.ts';

const simulator = runningSimulator();
const receiver = runningReceiver();

/** An application with an address that has got its test delivery. */
async function subscribed(wish: object = {}): Promise<{ verifier: TestVerifier; address: Address }> {
  const verifier = await testVerifier(simulator, wish);
  const address = receiver.address();
  await save(simulator, verifier, address);
  return { verifier, address };
}

async function save(at: Running, { appKey }: TestVerifier, { url, arrivals }: Address): Promise<void> {
  await at.control('PUT', `/applications/${appKey}/verification-webhook`, { urls: [url] });
  arrivals.length = 0;
}

/** The verdicts that came, oldest first. */
function verdictsAt({ arrivals }: Address): unknown[] {
  return arrivals.map(({ bodyText }): unknown => member(JSON.parse(bodyText), 'data'));
}

describe('a verification', () => {
  test('settles as soon as its answer has gone out, and the event says what the answer said', async () => {
    const { verifier, address } = await subscribed();
    const answer = await verifier.verify(profileXml('autorizada'));
    await verifier.advance(0);
    expect(verdictsAt(address)).toEqual([verdictIn(answer)]);
  });

  test('settles after the settle time, on the clock of its application', async () => {
    const { verifier, address } = await subscribed({ settleSeconds: 60 });
    await verifier.verify(profileXml('rejeitada'));
    await verifier.advance(59);
    expect(verdictsAt(address)).toEqual([]);
    await verifier.advance(1);
    expect(verdictsAt(address)).toMatchObject([
      { validationStatus: 'REJECTED', verifiedAt: '2031-05-17T09:31:00.000Z' },
    ]);
  });

  test('settles by what the authority says then', async () => {
    const { chave, xml } = foreignDocument(1);
    const { verifier, address } = await subscribed({ settleSeconds: 60 });
    expect(verdictIn(await verifier.verify(xml))).toMatchObject({ status: 'Autorizada' });
    await simulator.control('PUT', `/authority/invoices/${chave}`, { status: 'Cancelada' });
    await verifier.advance(60);
    expect(verdictsAt(address)).toMatchObject([{ status: 'Cancelada', validationStatus: 'REJECTED' }]);
  });

  test('settles as VALIDATION_ERROR while the authority is out of reach', async () => {
    const { verifier, address } = await subscribed({ settleSeconds: 60 });
    await verifier.verify(profileXml('autorizada'));
    await verifier.steer({ reachable: false });
    await verifier.advance(60);
    expect(verdictsAt(address)).toMatchObject([{ validationStatus: 'VALIDATION_ERROR', cStat: null }]);
  });

  test('that is answered from a known verdict sends no event; one that is forced sends another', async () => {
    const { verifier, address } = await subscribed();
    await verifier.verify(profileXml('autorizada'));
    await verifier.verify(profileXml('autorizada'));
    await verifier.advance(0);
    expect(address.arrivals).toHaveLength(1);
    await verifier.verify(profileXml('autorizada'), { forceRevalidate: 'true' });
    await verifier.advance(0);
    expect(address.arrivals).toHaveLength(2);
    expect(new Set(address.arrivals.map(({ eventId }) => eventId)).size).toBe(2);
  });

  test('of a body that is refused sends no event, and neither does a lookup', async () => {
    const { verifier, address } = await subscribed();
    await verifier.verify('<a/>');
    await verifier.lookUp('35261099999991000125550010000010011172904576');
    await verifier.advance(3600);
    expect(address.arrivals).toEqual([]);
  });

  test('tells nobody else', async () => {
    const [one, other] = [await subscribed(), await subscribed()];
    await one.verifier.verify(profileXml('autorizada'));
    await one.verifier.advance(0);
    await other.verifier.advance(0);
    expect(other.address.arrivals).toEqual([]);
  });
});

const folder = mkdtempSync(join(tmpdir(), 'nfe-verification-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a verification that waited while the simulator was down settles at its next start', async () => {
  const dataFile = join(folder, 'state.sqlite');
  const first = await startSimulator({ dataFile });
  const control: Running['control'] = (method, path, body) => controlCall(first, method, path, body);
  const { json } = await control('POST', '/applications', { clock: '2031-05-17T09:30:00Z', settleSeconds: 60 });
  const application = { appKey: textIn(json, 'appKey'), appSecret: textIn(json, 'appSecret') };
  const at = (started: typeof first): Running => ({
    baseUrl: started.baseUrl,
    control: (method, path, body) => controlCall(started, method, path, body),
    application: () => simulator.application(),
  });
  const before = verifierOf(at(first), application);
  const address = receiver.address();
  await save(at(first), before, address);
  await before.verify(profileXml('autorizada'));
  await first.stop();
  const second = await startSimulator({ dataFile });
  try {
    await verifierOf(at(second), application).advance(60);
    expect(verdictsAt(address)).toMatchObject([{ validationStatus: 'VALIDATED' }]);
  } finally {
    await second.stop();
  }
});
