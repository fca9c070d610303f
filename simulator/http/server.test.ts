import { connect, type Socket } from 'node:net';
import { describe, expect, test, afterEach, vi } from 'vitest';
import { echoCall, send, signedCall, runningSimulator } from '../testing/call.ts';
import { largestBodyBytes, splitTarget } from './request-facts.ts';
import type { Reply } from './reply.ts';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { listen, type Listening, type ServerLimits } from './server.ts';
import { parseJsonObject } from './json.ts';

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
  // A busy machine takes a while to see that it has gone.
  const isRoom = async (): Promise<void> => expect(await whatComes(await opened(body))).toContain('200 OK');
  await vi.waitFor(isRoom, 3000);
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
  const answer = whatComes(await opened(head('connection: close\r\n')));
  await sleep(50);
  await server.close(5_000);
  expect(await answer).toContain('200 OK');
});

test('a server that ends waits for a request that is under way, and for nobody else who is connected', async () => {
  const gate = Promise.withResolvers<Reply>();
  await serving({ headersMs: 60_000, requestMs: 60_000 }, () => gate.promise);
  const asking = await opened(head('content-length: 0\r\n'));
  const answered = whatComes(asking);
  const [silent, halfSaid] = [await opened(), await opened('POST / HTTP/1.1\r\nhost:')];
  await sleep(100);
  const ended = server.close(60_000);
  await Promise.all([whatComes(silent), whatComes(halfSaid)]);
  gate.resolve(ok);
  expect(await answered).toContain('200 OK');
  await ended;
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

const simulator = runningSimulator();

/** Writes bytes as they are and reads until the server closes, or for the given first bytes only. */
function raw(bytes: string, readFully = true): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(simulator.baseUrl).port), '127.0.0.1', () => {
      socket.write(bytes, () => {
        if (!readFully) socket.destroy();
      });
    });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('utf8')));
    socket.on('error', () => resolve(received));
    socket.on('close', () => resolve(received));
  });
}

async function isAlive(): Promise<boolean> {
  const { appSecret } = await simulator.application();
  return (await send(simulator.baseUrl, echoCall(appSecret))).status === 200;
}

describe('bodies', () => {
  const huge = Buffer.alloc(largestBodyBytes + 1, 0x20);

  test('one of 16 MiB is received whole', async () => {
    const { appSecret } = await simulator.application();
    const message = 'a'.repeat(largestBodyBytes - '{"message":""}'.length);
    const call = echoCall(appSecret, { body: JSON.stringify({ message }) });
    expect((await send(simulator.baseUrl, call)).status).toBe(200);
  });

  test('a longer one is answered with 400 after the token, before the sign', async () => {
    const { appSecret } = await simulator.application();
    const call = echoCall(appSecret, { body: huge, headers: { sign: 'wrong', language: 'en' } });
    const { status, json } = await send(simulator.baseUrl, call);
    expect({ status, json }).toEqual({
      status: 400,
      json: { code: 'SIM-BODY-TOO-LARGE', message: 'The request body is too large' },
    });
  });

  test('a longer one with an earlier fault gets the code of the fault', async () => {
    const answer = await send(simulator.baseUrl, echoCall('nobody', { body: huge }));
    expect(answer).toMatchObject({ status: 401, json: { code: 10009002 } });
  });

  test('one sent in chunks is signed like any other', async () => {
    const { appSecret } = await simulator.application();
    const call = echoCall(appSecret);
    const headers = { ...call.headers, 'transfer-encoding': 'chunked' };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
    const head = ['POST /openapi/demo/echo HTTP/1.1', 'host: x', 'connection: close', ...lines].join('\r\n');
    const chunks = '5\r\n{"mes\r\ne\r\nsage":"hello"}\r\n0\r\n\r\n';
    expect(await raw(`${head}\r\n\r\n${chunks}`)).toContain('"echo":"hello"');
  });
});

describe('what is not an answerable request', () => {
  test('an upload that breaks off does no harm', async () => {
    await raw('POST /openapi/demo/echo HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"mess', false);
    expect(await isAlive()).toBe(true);
  });

  test('a body that breaks the chunked coding does no harm', async () => {
    const head = 'POST /openapi/demo/echo HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n';
    expect(await raw(`${head}5\r\n{"mes\r\nno size\r\n`)).toMatch(/^HTTP\/1\.1 400 /);
    expect(await isAlive()).toBe(true);
  });

  test('bytes that are no HTTP are answered with 400', async () => {
    expect(await raw('\u0000\u0001 no HTTP\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expect(await isAlive()).toBe(true);
  });

  test('an Expect header of any kind is left to the gateway', async () => {
    const head = 'GET / HTTP/1.1\r\nhost: x\r\nexpect: a-miracle\r\nconnection: close\r\n\r\n';
    expect(await raw(head)).toMatch(/^HTTP\/1\.1 401 [\s\S]*10009000/);
  });

  test('a request to upgrade is answered like any other', async () => {
    const { appSecret } = await simulator.application();
    const headers = { connection: 'upgrade', upgrade: 'websocket' };
    const call = signedCall({ token: appSecret, target: '/openapi/v3/consultas/cnpj/1', headers });
    expect(await send(simulator.baseUrl, call)).toMatchObject({ status: 400, json: { code: 'SIM-CNPJ-MALFORMED' } });
  });
});

describe('request target', () => {
  test.each([
    ['/a/b', '/a/b', undefined],
    ['/a?', '/a', ''],
    ['/a?b=1?c', '/a', 'b=1?c'],
    ['/a/http://h/b', '/a/http://h/b', undefined],
    ['http://host:8080/a%2Fb?c', '/a%2Fb', 'c'],
    ['HTTPS://host/a', '/a', undefined],
    ['http://host?b', '', 'b'],
    ['*', '*', undefined],
  ])('%s has the path %j and the query %j', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});

function nested(levels: number, inside = ''): Buffer {
  return Buffer.from(`{"a":${'['.repeat(levels - 1)}${inside}${']'.repeat(levels - 1)}}`);
}

describe('a body', () => {
  test('with a JSON object is that object', () => {
    expect(parseJsonObject(Buffer.from(' {"a":[1,{"b":"ç"}]} '))).toEqual({ a: [1, { b: 'ç' }] });
  });

  test.each(['', '[]', '1', 'null', '"a"', '{', '{"a":1}{'])('that is %j is none', (text) => {
    expect(parseJsonObject(Buffer.from(text))).toBeUndefined();
  });

  test('that is not UTF-8 is none', () => {
    expect(parseJsonObject(Buffer.from('{"a":"ç"}', 'latin1'))).toBeUndefined();
  });

  test('is read a thousand levels deep, and no deeper', () => {
    expect(parseJsonObject(nested(1_000))).toBeDefined();
    expect(parseJsonObject(nested(1_001))).toBeUndefined();
  });

  test('may have brackets in its texts, escaped quotes before them too', () => {
    const text = `\\"${'[{'.repeat(2_000)}\\\\`;
    expect(parseJsonObject(Buffer.from(`{"a":"${text}"}`))).toBeDefined();
  });

  test('may have many brackets one behind the other', () => {
    expect(parseJsonObject(nested(2, Array.from({ length: 5_000 }, () => '{}').join(',')))).toBeDefined();
  });
});
