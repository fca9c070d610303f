import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { member } from '../schemas/values.ts';
import { startSimulator } from './start.ts';
import { type Address, runningReceiver } from './testing/receiver.ts';
import { controlCall, type Running, textIn } from './testing/running.ts';
import { profileXml, type TestVerifier, verifierOf } from './testing/verifier.ts';

const receiver = runningReceiver();

async function save(at: Running, { appKey }: TestVerifier, { url, arrivals }: Address): Promise<void> {
  await at.control('PUT', `/applications/${appKey}/verification-webhook`, { urls: [url] });
  arrivals.length = 0;
}

/** The verdicts that came, oldest first. */
function verdictsAt({ arrivals }: Address): unknown[] {
  return arrivals.map(({ bodyText }): unknown => member(JSON.parse(bodyText), 'data'));
}

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
    application: () => Promise.resolve({ ...application, appName: '' }),
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
