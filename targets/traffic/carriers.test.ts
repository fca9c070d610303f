import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { foreignAddress } from '../testing/server.ts';
import { portOf } from '../testing/served.ts';
import { openTarget } from '../target.ts';
import { ledgerMemory } from './ledger.ts';
import { openTransport } from './transport.ts';

const parts = { token: 't', path: '/a', body: Buffer.alloc(0), timestamp: '1' };
const request = { method: 'GET', target: '/a', headers: [], parts } as const;
const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody';

afterEach(() => void vi.restoreAllMocks());

/** A server that answers the nth request of a connection so, and ends it where it has no answer to that; each with how long it was idle. */
async function served(answered: (nth: number, idleMs: number, socket: Socket) => string | undefined): Promise<string> {
  const server = createServer((socket) => {
    let [nth, sinceMs] = [0, performance.now()];
    socket.on('error', () => undefined);
    socket.on('data', () => {
      nth += 1;
      const words = answered(nth, performance.now() - sinceMs, socket);
      if (words === undefined) socket.destroy();
      else socket.write(words);
      sinceMs = performance.now();
    });
  });
  return `http://127.0.0.1:${await portOf(server)}`;
}

/**
 * Which of requests, each that long after the one before, found that the server had ended the connection. The time passes as that says,
 * however much else the machine has to do.
 */
async function endedIdle(baseUrl: string, pausesMs: readonly number[]): Promise<(true | undefined)[]> {
  let nowMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  const transport = openTransport(baseUrl, undefined);
  const found: (true | undefined)[] = [];
  for (const pauseMs of pausesMs) {
    nowMs += pauseMs;
    found.push((await transport.send(request)).isEndedIdle);
  }
  await transport.close();
  return found;
}

test('a connection that was idle for long, and is ended without a word, was ended for that', async () => {
  const baseUrl = await served((nth, idleMs) => (nth === 1 || idleMs < 150 ? answer : undefined));
  expect(await endedIdle(baseUrl, [0, 10, 200, 10])).toEqual([undefined, undefined, true, undefined]);
});

test('one that was idle for less than others that were answered is broken', async () => {
  const baseUrl = await served((nth) => (nth <= 2 ? answer : undefined));
  expect(await endedIdle(baseUrl, [0, 300, 20, 20])).toEqual([undefined, undefined, undefined, undefined]);
});

test('one that is used again in haste is broken: nobody ends what was hardly idle', async () => {
  const baseUrl = await served((nth) => (nth === 1 ? answer : undefined));
  expect(await endedIdle(baseUrl, [0, 20])).toEqual([undefined, undefined]);
});

test('one that was never answered is broken, and so is one that gives part of an answer', async () => {
  expect(await endedIdle(await served(() => undefined), [0])).toEqual([undefined]);
  const cut = await served((nth, _, socket) => {
    if (nth > 1) socket.end('HTTP/1.1 200 OK\r\nContent-Le');
    return nth > 1 ? '' : answer;
  });
  expect(await endedIdle(cut, [0, 150])).toEqual([undefined, undefined]);
});

test('what went out over a connection that the server was about to end is sent again, and says so', async () => {
  const baseUrl = await served((nth) => (nth === 1 ? answer : undefined));
  const target = openTarget(foreignAddress(baseUrl), { memory: ledgerMemory(), budget: 0 });
  const draft = { call: { method: 'GET', path: '/a' }, token: 't', timestamp: '1790000000' } as const;
  for (const [isResent, requests] of [
    [undefined, 1],
    [true, 3],
    [true, 5],
  ] as const) {
    expect(await target.send(draft)).toMatchObject({ response: { status: 200 }, ...(isResent ? { isResent } : {}) });
    expect(target.spent().requests).toBe(requests);
    await sleep(120);
  }
  await target.close();
});
