import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createRawServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { SignedRequest } from '../../client/sign.ts';
import { portOf } from '../testing/served.ts';
import { openTransport } from './transport.ts';
import type { Exchange } from '../../trace/exchange.ts';

const seen: { incoming: IncomingMessage; rawBody: Buffer }[] = [];
const recording = createServer(async (incoming, outgoing) => {
  seen.push({ incoming, rawBody: await buffer(incoming) });
  outgoing.writeHead(200, { 'X-Answer': 'Yes' }).end('answer');
});
const port = await portOf(recording);

function requestOf(change: Partial<SignedRequest> = {}): SignedRequest {
  const parts = { token: 't', path: '/openapi/demo/echo', body: Buffer.alloc(0), timestamp: '1' };
  return { method: 'POST', target: '/openapi/demo/echo', headers: [['token', 't']], parts, ...change };
}

async function sent(request: SignedRequest, baseUrl = `http://127.0.0.1:${port}`): Promise<Exchange> {
  const transport = openTransport(baseUrl, undefined);
  const exchange = await transport.send(request);
  await transport.close();
  return exchange;
}

describe('a body goes out as it is to', () => {
  const body = { rawBody: Buffer.from('{"a":1}') };

  test.each([
    [{}, '7', undefined, undefined],
    [{ transfer: 'chunked' }, undefined, 'chunked', undefined],
    [{ transfer: 'expecting' }, '7', undefined, '100-continue'],
  ] as const)('%j', async (way, length, coding, expect_) => {
    const { response } = await sent(requestOf({ ...body, ...way }));
    const { incoming, rawBody } = seen.at(-1) ?? {};
    expect([response?.status, String(rawBody)]).toEqual([200, '{"a":1}']);
    const { headers } = incoming ?? {};
    expect([headers?.['content-length'], headers?.['transfer-encoding'], headers?.expect, headers?.['token']]).toEqual([
      length,
      coding,
      expect_,
      't',
    ]);
  });

  test('one that is to be asked for goes out where nobody asks, and not where the answer comes at once', async () => {
    const silent = createServer();
    silent.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      incoming.on('data', () => {}).on('end', () => outgoing.end('came'));
    });
    const hasty = createServer();
    hasty.on('checkContinue', (_, outgoing: ServerResponse) => outgoing.writeHead(417).end());
    const [patient, refused] = await Promise.all(
      [silent, hasty].map(async (server) =>
        sent(requestOf({ ...body, transfer: 'expecting' }), `http://127.0.0.1:${await portOf(server)}`),
      ),
    );
    expect([String(patient?.response?.rawBody), refused?.response?.status]).toEqual(['came', 417]);
  });

  test('one that is asked for too late goes out once', async () => {
    const late = createServer();
    late.on('checkContinue', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      incoming
        .on('data', () => {})
        .on('end', () => {
          outgoing.writeContinue();
          setTimeout(() => outgoing.end('came'), 100);
        });
    });
    const baseUrl = `http://127.0.0.1:${await portOf(late)}`;
    const { response } = await sent(requestOf({ ...body, transfer: 'expecting' }), baseUrl);
    expect(String(response?.rawBody)).toBe('came');
  });

  test('one that is to be asked for fails like any other where nobody listens, or nobody answers', async () => {
    const deaf = createServer();
    const request = requestOf({ ...body, transfer: 'expecting' });
    expect((await sent(request, 'http://127.0.0.1:1')).error).toMatch('ECONNREFUSED');
    const transport = openTransport(`http://127.0.0.1:${await portOf(deaf)}`, undefined);
    expect(await transport.send(request, 300)).toMatchObject({ isLate: true });
    await transport.close();
  });
});

const go = 'HTTP/1.1 100 Continue\r\n\r\n';

test.each([
  ['alone', [go]],
  ['twice', [`${go}HTTP/1.1 100 \r\nX-Why: none\r\n\r\n`]],
  ['in parts', [go.slice(0, 15), go.slice(15)]],
  ['with the answer', [`${go}HTTP/1.1 103 Early Hints\r\n\r\n`, go]],
  [
    'behind other interim answers',
    [`HTTP/1.1 103 Early Hints\r\nA: b\r\n\r\n${go}HTTP/1.1 102 P\r\n\r\n${go.slice(0, 18)}`, go.slice(18)],
  ],
])('a `100 Continue` that nobody asked for is passed over: %s', async (_, parts) => {
  const raw = createRawServer((socket) => {
    socket.on('data', async () => {
      for (const part of [...parts, 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n', 'HTTP']) {
        socket.write(part);
        await new Promise((resolve) => void setTimeout(resolve, 20));
      }
    });
  });
  const transport = openTransport(`http://127.0.0.1:${await portOf(raw)}`, undefined);
  const both = [await transport.send(requestOf()), await transport.send(requestOf())];
  expect(both.map(({ response }) => response?.status)).toEqual([200, 200]);
  await transport.close();
});

test.each(['4 ', '4\t  ', ' 4 '])('blanks around a content-length say nothing: "%s"', async (length) => {
  const raw = createRawServer((socket) => {
    socket.on('data', () => socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nA: b \r\n\r\n\r\nb `));
  });
  const transport = openTransport(`http://127.0.0.1:${await portOf(raw)}`, undefined);
  const both = [await transport.send(requestOf()), await transport.send(requestOf())];
  expect(both.map(({ response }) => response?.rawBody.toString())).toEqual(['\r\nb ', '\r\nb ']);
  await transport.close();
});

test('a tab behind a transfer-encoding says nothing', async () => {
  const raw = createRawServer((socket) => {
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\t\r\n\r\n1\r\nb\r\n0\r\n\r\n'));
  });
  const transport = openTransport(`http://127.0.0.1:${await portOf(raw)}`, undefined);
  const both = [await transport.send(requestOf()), await transport.send(requestOf())];
  expect(both.map(({ response }) => response?.rawBody.toString())).toEqual(['b', 'b']);
  await transport.close();
});

test.each([
  ['by the name of the run', [['token', 't']], 'suite/1 (run 7)'],
  ['by its own name where it has one', [['User-Agent', 'own']], 'own'],
] as const)('a request goes out %s', async (_, headers, name) => {
  const transport = openTransport(`http://127.0.0.1:${port}`, undefined, { userAgent: 'suite/1 (run 7)' });
  const exchange = await transport.send(requestOf({ headers }));
  await transport.close();
  expect(seen.at(-1)?.incoming.headers['user-agent']).toBe(name);
  expect(exchange.request.headers).toEqual(headers);
});

describe('the request goes out exactly as it was signed', () => {
  test.each(['/openapi/a/../b/./c', '/openapi//x', '/openapi/%7Euser/%2F', '/openapi/x?a=b&&c=%0d', '/openapi/x?'])(
    'path and query %s',
    async (target) => {
      await sent(requestOf({ target }));
      expect(seen.at(-1)?.incoming.url).toBe(target);
    },
  );

  test('the path prefix of the base address stands before the signed path', async () => {
    await sent(requestOf(), `http://127.0.0.1:${port}/gateway/nfe`);
    expect(seen.at(-1)?.incoming.url).toBe('/gateway/nfe/openapi/demo/echo');
  });

  test('bytes of the body', async () => {
    const rawBody = Buffer.from([0, 0xff, 0x0d, 0x0a, 0xc3, 0xa9]);
    await sent(requestOf({ rawBody }));
    expect(seen.at(-1)?.rawBody).toEqual(rawBody);
  });

  test('order, letter case and repetition of headers', async () => {
    await sent(
      requestOf({
        headers: [
          ['SIGN', 'a'],
          ['token', 'b'],
          ['SIGN', 'c'],
        ],
      }),
    );
    const raw = seen.at(-1)?.incoming.rawHeaders ?? [];
    expect(raw.filter((_, index) => index % 2 === 0)).toEqual(expect.arrayContaining(['SIGN', 'token', 'SIGN']));
    expect(raw.join(' ')).toContain('SIGN a token b SIGN c');
  });
});

test('the answer comes back with status, headers and bytes', async () => {
  const { response } = await sent(requestOf());
  expect(response?.status).toBe(200);
  expect(response?.headers).toContainEqual(['X-Answer', 'Yes']);
  expect(response?.rawBody.toString()).toBe('answer');
});

test('an answer that comes in drips, each in good time, is cut off once it has taken as long as an answer may', async () => {
  const dripping = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { 'content-length': '1000' });
    const drip = setInterval(() => outgoing.write('.'), 20);
    outgoing.on('close', () => clearInterval(drip));
  });
  const transport = openTransport(`http://127.0.0.1:${await portOf(dripping)}`, undefined);
  const started = performance.now();
  const exchange = await transport.send(requestOf(), 300);
  await transport.close();
  expect([exchange.response, exchange.error]).toEqual([undefined, 'no whole answer within 0.3 s']);
  expect(performance.now() - started).toBeLessThan(5_000);
});

describe('an answer that goes beyond its budget', () => {
  async function answered(write: (outgoing: ServerResponse) => void): Promise<Exchange> {
    const server = createServer((incoming, outgoing) => {
      incoming.resume().on('end', () => write(outgoing));
    });
    return sent(requestOf(), `http://127.0.0.1:${await portOf(server)}`);
  }

  test('is none by headers without end, nor by interim answers without end', async () => {
    expect((await answered((outgoing) => outgoing.writeHead(200, { 'x-a': 'a'.repeat(300_000) }).end())).error).toMatch(
      /HEADERS_OVERFLOW/,
    );
    const hinted = await answered((outgoing) => {
      for (let at = 0; at < 200; at++) outgoing.writeEarlyHints({ link: '</a>; rel=preload' });
      outgoing.end('the answer');
    });
    expect(hinted.error).toMatch(/interim answers/);
  });
});

test('an answer that says how it is encoded, though nobody asked, is what is in it', async () => {
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('answer')));
  });
  const { response } = await sent(requestOf(), `http://127.0.0.1:${await portOf(server)}`);
  expect(response?.rawBody.toString()).toBe('answer');
});

test('an exchange tells the connection that it went over, of several at once each its own', async () => {
  const server = createServer((incoming, outgoing) => outgoing.end(String(incoming.socket.remotePort)));
  const transport = openTransport(`http://127.0.0.1:${await portOf(server)}`, undefined);
  const exchanges = await Promise.all(Array.from({ length: 4 }, () => transport.send(requestOf())));
  const again = await transport.send(requestOf());
  await transport.close();
  for (const { response } of [...exchanges, again]) expect(response?.connection).toBe(Number(response?.rawBody));
  expect(new Set(exchanges.map(({ response }) => response?.connection)).size).toBeGreaterThan(1);
});

test('the last request of a connection closes it, and the next one opens another', async () => {
  const asked: (string | undefined)[] = [];
  const server = createServer((incoming, outgoing) => {
    asked.push(incoming.headers.connection);
    outgoing.end();
  });
  const transport = openTransport(`http://127.0.0.1:${await portOf(server)}`, undefined);
  const over: unknown[] = [];
  for (const isLast of [false, true, false]) {
    over.push((await transport.send(requestOf(), undefined, isLast)).response?.connection);
    // A connection is free only in the turn after that of its answer.
    await new Promise(setImmediate);
  }
  await transport.close();
  expect(asked).toEqual(['keep-alive', 'close', 'keep-alive']);
  expect([over[0] === over[1], over[1] === over[2]]).toEqual([true, false]);
});
