import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../client/ledger.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { openTarget } from '../../targets/target.ts';
import { newRecord, trialOf } from './trial.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers every echo, and a link only after it has dropped so many connections. */
async function serverDropping(times: number): Promise<string> {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET' && asked++ < times) incoming.socket.destroy();
    else incoming.resume().on('end', () => outgoing.end('{}'));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

function addressAt(baseUrl: string): TargetAddress {
  return {
    kind: 'sandbox',
    baseUrl,
    credentials: { active: 'a-secret' },
    maxRps: 0,
    allowProducao: false,
    rateBurst: 0,
    clockSkewSeconds: 0,
    xmlContentType: 'application/xml',
    profile: { folder: '', files: [] },
    isSlow: false,
    webhook: { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X-Service', isReachable: false },
    settleTimeoutSeconds: 1,
  };
}

describe('a link to a document', () => {
  test('that is dropped twice on the way is followed again, and the hiccups are noted', async () => {
    const baseUrl = await serverDropping(2);
    const target = openTarget(addressAt(baseUrl), { memory: ledgerMemory(), budget: 0 });
    const record = newRecord();
    const { response } = await trialOf(target, record).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(response?.status).toBe(200);
    expect(record.hiccups).toHaveLength(2);
  });

  test('that is dropped every time, though the target is there, has no document', async () => {
    const baseUrl = await serverDropping(Infinity);
    const target = openTarget(addressAt(baseUrl), { memory: ledgerMemory(), budget: 0 });
    const exchange = await trialOf(target, newRecord()).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(exchange.response).toBeUndefined();
  });
});
