import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { portOf } from '../testing/served.ts';
import { Connections } from './connections.ts';
import { openTransport, type Transport } from './transport.ts';

/** A server that resets a connection where its rule says so, and tells how many stood at once. */
function counting(isReset: (open: number, nth: number) => boolean): { server: Server; most: () => number } {
  const open = new Set<Socket>();
  let [most, nth] = [0, 0];
  const server = createServer((_, outgoing) => outgoing.end('answer')).on('connection', (socket: Socket) => {
    nth += 1;
    if (isReset(open.size, nth)) return socket.resetAndDestroy();
    open.add(socket);
    most = Math.max(most, open.size);
    return socket.once('close', () => open.delete(socket));
  });
  return { server, most: () => most };
}

const parts = { token: 't', path: '/a', body: Buffer.alloc(0), timestamp: '1' };

/** How many of so many rounds were answered, of a request by each of so many checks at once. */
async function answered(port: number, connections: Connections, rounds: number, checks: number): Promise<number> {
  const url = `http://127.0.0.1:${port}`;
  const transports = Array.from({ length: checks }, () => openTransport(url, undefined, { connections }));
  const ask = async (transport: Transport): Promise<number> => {
    const { response } = await connections.gate(() =>
      transport.send({ method: 'GET', target: '/a', headers: [], parts }),
    );
    return response ? 1 : 0;
  };
  let sum = 0;
  for (let round = 0; round < rounds; round++) for (const one of await Promise.all(transports.map(ask))) sum += one;
  await Promise.all(transports.map((transport) => transport.close()));
  return sum;
}

test('checks have no more connections than requests that may be under way at once: idle ones end first', async () => {
  const { server, most } = counting(() => false);
  expect(await answered(await portOf(server), new Connections(2), 4, 6)).toBe(24);
  expect(most()).toBeLessThanOrEqual(2);
});

test('a target that resets whatever comes beyond its third connection is asked over three from then on', async () => {
  const { server } = counting((open) => open >= 3);
  const connections = new Connections(8);
  const port = await portOf(server);
  await answered(port, connections, 3, 8);
  expect(connections.gate.concurrency).toBeLessThanOrEqual(3);
  expect(await answered(port, connections, 3, 8)).toBe(24);
});

test('connections that are reset now and then show no limit', async () => {
  const { server } = counting((_, nth) => nth % 4 === 0);
  const connections = new Connections(4);
  await answered(await portOf(server), connections, 6, 8);
  expect(connections.gate.concurrency).toBe(4);
});
