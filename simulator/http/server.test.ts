import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { echoCall, send, signedCall } from '../testing/call.ts';
import { runningSimulator } from '../testing/running.ts';
import { largestBodyBytes, splitTarget } from './request-facts.ts';

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
