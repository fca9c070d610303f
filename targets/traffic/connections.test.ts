import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { portOf } from '../testing/served.ts';
import { Connections } from './connections.ts';
import { openTransport, type Transport } from './transport.ts';

/** A server that resets a connection where its rule says so. */
function resetting(isReset: (open: number, nth: number) => boolean): Server {
  const open = new Set<Socket>();
  let nth = 0;
  return createServer((_, outgoing) => outgoing.end('answer')).on('connection', (socket: Socket) => {
    nth += 1;
    if (isReset(open.size, nth)) return socket.resetAndDestroy();
    open.add(socket);
    return socket.once('close', () => open.delete(socket));
  });
}

/** Connections that tell how many stood at once, as they see it themselves: a server hears of an end when it comes to it. */
class Counted extends Connections {
  most = 0;
  readonly #all: Socket[] = [];

  override add(socket: Socket): void {
    super.add(socket);
    this.#all.push(socket);
    this.most = Math.max(this.most, this.#all.filter(({ destroyed }) => !destroyed).length);
  }
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
  const connections = new Counted(2);
  expect(await answered(await portOf(resetting(() => false)), connections, 4, 6)).toBe(24);
  expect(connections.most).toBe(2);
});

test('a target that resets whatever comes beyond its third connection is asked over three from then on', async () => {
  const server = resetting((open) => open >= 3);
  const connections = new Connections(8);
  const port = await portOf(server);
  await answered(port, connections, 3, 8);
  expect(connections.gate.concurrency).toBeLessThanOrEqual(3);
  // A busy server may hear of an end too late once or twice.
  expect(await answered(port, connections, 3, 8)).toBeGreaterThan(21);
});

test('connections that are reset now and then show no limit', async () => {
  const server = resetting((_, nth) => nth % 4 === 0);
  const connections = new Connections(4);
  await answered(await portOf(server), connections, 6, 8);
  expect(connections.gate.concurrency).toBe(4);
});
