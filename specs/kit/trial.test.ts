import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../client/ledger.ts';
import { openTarget } from '../../targets/target.ts';
import { newRecord, trialOf } from './trial.ts';
import { foreignAddress } from '../../targets/testing/foreign-address.ts';

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

describe('a link to a document', () => {
  test('that is dropped twice on the way is followed again, and the hiccups are noted', async () => {
    const baseUrl = await serverDropping(2);
    const target = openTarget(foreignAddress(baseUrl), { memory: ledgerMemory(), budget: 0 });
    const record = newRecord();
    const { response } = await trialOf(target, record).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(response?.status).toBe(200);
    expect(record.hiccups).toHaveLength(2);
  });

  test('that is dropped every time, though the target is there, has no document', async () => {
    const baseUrl = await serverDropping(Infinity);
    const target = openTarget(foreignAddress(baseUrl), { memory: ledgerMemory(), budget: 0 });
    const exchange = await trialOf(target, newRecord()).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(exchange.response).toBeUndefined();
  });
});
