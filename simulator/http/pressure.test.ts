import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Reply } from './reply.ts';
import { listen, type Listening, type ServerLimits } from './server.ts';

const usual: ServerLimits = {
  headersMs: 300,
  requestMs: 600,
  checkEveryMs: 50,
  connections: 5,
  heldBytes: 1000,
};
const ok: Reply = { status: 200, body: { ok: true } };

let server: Listening;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close(0);
});

async function serving(limits: Partial<ServerLimits> = {}, handle = async () => ok): Promise<void> {
  server = await listen('127.0.0.1', 0, handle, { ...usual, ...limits });
}

async function opened(first = ''): Promise<Socket> {
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(first);
  return socket;
}

/** All that comes until the connection is closed. */
async function whatComes(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString('utf8')));
  await once(socket, 'close');
  return text;
}

const head = (more: string): string => `POST / HTTP/1.1\r\nhost: x\r\n${more}\r\n`;

test('a head that drips is cut off', async () => {
  await serving();
  expect(await whatComes(await opened('POST / HTTP/1.1\r\nhost:'))).toContain('408');
});

test('a body that drips is cut off', async () => {
  await serving();
  expect(await whatComes(await opened(`${head('content-length: 10\r\n')}12345`))).toContain('408');
});

test('no more connections than the limit are served, and one more is once one has gone', async () => {
  await serving({ connections: 2, headersMs: 60_000, requestMs: 60_000 });
  const [first] = [await opened(), await opened()];
  expect(await whatComes(await opened(head('connection: close\r\n')))).toBe('');
  first.destroy();
  await sleep(100);
  expect(await whatComes(await opened(head('connection: close\r\n')))).toContain('200 OK');
});

test('a body beyond what all may hold together gets 503, and there is room again once others are gone', async () => {
  await serving({ requestMs: 60_000 });
  const other = await opened(`${head('content-length: 900\r\n')}${'a'.repeat(800)}`);
  await sleep(50);
  const body = `${head('connection: close\r\ncontent-length: 300\r\n')}${'b'.repeat(300)}`;
  expect(await whatComes(await opened(body))).toMatch(/503 [^]*SIM-OVERLOADED/);
  other.destroy();
  await sleep(100);
  expect(await whatComes(await opened(body))).toContain('200 OK');
});

test('two Host headers are refused: nobody knows whom the request is for', async () => {
  await serving();
  const answer = whatComes(await opened(head('Host: y\r\nconnection: close\r\n')));
  expect(await answer).toMatch(/400 [^]*more than one Host header/);
});

test('a request under way is answered before the server ends', async () => {
  await serving({}, async () => {
    await sleep(200);
    return ok;
  });
  const socket = await opened(head(''));
  const answer = whatComes(socket);
  await sleep(50);
  await server.close(5_000);
  expect(await answer).toContain('200 OK');
});

test('a full disk is a clear answer, and no request after it suffers', async () => {
  let isFull = true;
  await serving({}, async () => {
    if (isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
    return ok;
  });
  const close = head('connection: close\r\n');
  expect(await whatComes(await opened(close))).toMatch(/500 [^]*SIM-STORAGE[^]*the disk of the data file is full/);
  isFull = false;
  expect(await whatComes(await opened(close))).toContain('200 OK');
});
