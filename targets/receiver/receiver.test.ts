import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test, afterEach } from 'vitest';
import { portOf } from '../testing/served.ts';
import { openReceiver } from './receiver.ts';
import { pathOf, post, rawConnection, receivers } from '../testing/server.ts';
import { followDeliveries, hostDeliveries, type SharedArrival } from './shared-deliveries.ts';

const name = 'shared-deliveries-test';
const open: { close(): void }[] = [];
afterEach(() => {
  for (const side of open.splice(0)) side.close();
});

function host() {
  const side = hostDeliveries(name);
  open.push(side);
  return side;
}

function follower() {
  const side = followDeliveries(name);
  open.push(side);
  return side;
}

function arrival(text: string): SharedArrival {
  const rawBody = Buffer.from(text);
  return {
    method: 'POST',
    target: '/a',
    headers: [['token', 't']],
    rawBody,
    isTooLarge: false,
    arrivedAtMs: 1,
    channel: 'issuance',
  };
}

test('every thread that follows sees an arrival whole, its bytes as a Buffer', async () => {
  const [one, other, receiver] = [follower(), follower(), host()];
  expect(receiver.arrived(arrival('a'))).toEqual({ status: 200 });
  for (const side of [one, other]) await expect.poll(() => side.arrivals()).toEqual([arrival('a')]);
});

test('what contains a text is refused so many times, and nothing else', async () => {
  const [side, receiver] = [follower(), host()];
  await side.refuse('nfe-1', 2);
  const answers = ['nfe-2', 'x nfe-1 x', 'nfe-1', 'nfe-1'].map((text) => receiver.arrived(arrival(text)));
  expect(answers).toEqual([{ status: 200 }, { status: 500 }, { status: 500 }, { status: 200 }]);
});

test('what contains a text fails as it is told', async () => {
  const [side, receiver] = [follower(), host()];
  await side.refuse('nfe-1', 1, 'hang-up');
  await side.refuse('nfe-2', 1, { status: 302, headers: [['location', '/b']] });
  expect(receiver.arrived(arrival('nfe-1'))).toBe('hang-up');
  expect(receiver.arrived(arrival('nfe-2'))).toEqual({ status: 302, headers: [['location', '/b']] });
  expect(receiver.arrived(arrival('nfe-2'))).toEqual({ status: 200 });
});

test('a thread forgets the oldest of too many deliveries, in whose places nothing is left, and keeps the latest', async () => {
  const [side, receiver] = [follower(), host()];
  const large = 'x'.repeat(1024 * 1024);
  for (let at = 0; at < 40; at++) receiver.arrived(arrival(`${at} ${large}`));
  receiver.arrived(arrival('the last'));
  await expect.poll(() => side.arrivals().length).toBe(41);
  const [first] = side.arrivals();
  expect(first).toMatchObject({ rawBody: Buffer.alloc(0), headers: [], isTooLarge: true });
  expect(side.arrivals().at(-1)).toEqual(arrival('the last'));
  const kept = side.arrivals().reduce((sum, { rawBody }) => sum + rawBody.length, 0);
  expect(kept).toBeLessThanOrEqual(32 * 1024 * 1024);
});

const opened = receivers();

describe('an address', () => {
  test('has a path of at least 128 random bits in base64url', async () => {
    const receiver = await opened();
    const names = Array.from({ length: 100 }, () => pathOf(receiver.address()).slice(1));
    expect(new Set(names).size).toBe(100);
    for (const name of names) expect(name).toMatch(/^[\w-]{22,}$/);
  });

  test('stands under the public address, with or without its path in front of the request', async () => {
    const receiver = await opened({ publicUrl: 'https://hooks.example/nfe/' });
    const address = receiver.address();
    expect(address.url).toMatch(/^https:\/\/hooks\.example\/nfe\/[\w-]+$/);
    await post(receiver.origin + pathOf(address), 'passed on');
    await post(receiver.origin + pathOf(address).replace('/nfe', ''), 'taken off');
    expect(address.deliveries().map(({ rawBody }) => rawBody.toString())).toEqual(['passed on', 'taken off']);
  });

  test('is found in another letter case, but where that is the address of another', async () => {
    const receiver = await opened();
    const addresses = ['Alike', 'alike'].map((pathName) => receiver.address(undefined, pathName));
    await post(`${receiver.origin}/ALIKE`, 'a');
    await post(`${receiver.origin}/alike`, 'b');
    const targets = addresses.map((address) => address.deliveries().map(({ target }) => target));
    expect(targets).toEqual([['/ALIKE'], ['/alike']]);
  });

  test('stands under the public host with the port that it took', async () => {
    const receiver = await opened({ publicHost: 'host.docker.internal' });
    const { port } = new URL(receiver.origin);
    expect(new URL(receiver.address().url).origin).toBe(`http://host.docker.internal:${port}`);
  });
});

describe('requests that are no delivery', () => {
  test.each([
    ['HEAD', {}, 0],
    ['OPTIONS', { 'WebHook-Request-Origin': 'x' }, 0],
    ['GET', {}, 0],
    ['GET', { 'X-Brand-Event-Id': '1' }, 1],
    ['PUT', {}, 1],
  ])('a %s with %j only tries the address, unless it is told as a delivery: %i', async (method, headers, count) => {
    const address = (await opened()).address(() => ({ status: 500 }));
    expect((await fetch(address.url, { method, headers })).status).toBe(count ? 500 : 200);
    expect(address.deliveries()).toHaveLength(count);
  });

  test('one that breaks off is counted and not kept', async () => {
    const receiver = await opened();
    const address = receiver.address();
    const { socket, received } = rawConnection(receiver);
    socket.end(`POST ${pathOf(address)} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf`);
    await received;
    expect(receiver.strays()).toEqual({ unknownPath: 0, brokenOff: 1, unreadable: 0 });
    expect(address.deliveries()).toEqual([]);
  });

  test.each([
    ['no HTTP at all\r\n\r\n', 'no-http'],
    ['POST / FTP/1.1\r\n\r\n', 'no-http'],
    ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'no-http'],
    ['POST /a?b=ção HTTP/1.1\r\n\r\n', 'bad-target'],
    ['\x16\x03\x01\x00', 'tls'],
    ['POST /elsewhere HTTP/1.1\r\nconnection: close\r\n\r\n', 'other-path'],
  ])('bytes that are no HTTP/1, or for nobody, do no harm, and are told: %j', async (bytes, stray) => {
    const strays: string[] = [];
    const receiver = await opened({ limits: { requestMs: 100 }, onStray: (one) => strays.push(one) });
    const address = receiver.address();
    const { socket, received } = rawConnection(receiver);
    socket.write(bytes, 'latin1');
    expect(await received).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(strays).toEqual([stray]);
    expect((await post(address.url)).status).toBe(200);
  });

  test.each([
    ['lines that end in LF alone', '\ncontent-length: 1\n\na'],
    ['a length beside chunks', '\r\ncontent-length: 9\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n'],
    ['blanks behind the size of a chunk', '\r\ntransfer-encoding: chunked\r\n\r\n1 \r\na\r\n0\r\n\r\n'],
    ['a tab behind its coding', '\r\nHost: x\r\nTransfer-Encoding: chunked\t\r\n\r\n1\r\na\r\n0\r\n\r\n'],
    ['no host', '\r\ncontent-length: 1\r\n\r\na'],
  ])('%s is no reason to refuse a delivery: the contract says nothing of it', async (_, rest) => {
    const receiver = await opened();
    const address = receiver.address();
    const request = `POST ${pathOf(address)} HTTP/1.1${rest}`;
    for (const [before, length] of [request.length, 1].entries()) {
      const { socket } = rawConnection(receiver);
      socket.setNoDelay();
      for (let at = 0; at < request.length; at += length) {
        socket.write(request.slice(at, at + length));
        await setTimeout(0);
      }
      await expect.poll(() => address.deliveries().slice(before)).toMatchObject([{ rawBody: Buffer.from('a') }]);
      socket.destroy();
    }
  });

  test('an Expect header of any kind, or an offer to upgrade, is a delivery all the same', async () => {
    const receiver = await opened();
    const address = receiver.address();
    for (const line of ['expect: a-miracle', 'expect: 100-continue', 'upgrade: h2c']) {
      const { socket, received } = rawConnection(receiver);
      socket.write(`POST ${pathOf(address)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${line}\r\n\r\n`);
      expect(await received).toContain('HTTP/1.1 200 OK');
    }
    expect(address.deliveries()).toHaveLength(3);
  });
});

describe('opening and closing', () => {
  test('a port in use is the error of the system', async () => {
    const port = await portOf(createServer());
    await expect(openReceiver({ listen: { host: '127.0.0.1', port } })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('a receiver on every interface, or on IPv6, has an origin that can be called', async () => {
    for (const host of ['0.0.0.0', '::1']) {
      const receiver = await opened({ listen: { host, port: 0 } });
      expect((await post(receiver.address().url)).status).toBe(200);
    }
  });

  test('closing ends at once what is open: answers that are due, uploads, idle connections', async () => {
    const receiver = await opened();
    const asked = Promise.withResolvers<void>();
    const held = receiver.address(() => {
      asked.resolve();
      return new Promise(() => undefined);
    });
    const upload = rawConnection(receiver);
    upload.socket.write(`POST ${pathOf(held)} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf`);
    const idle = rawConnection(receiver);
    const sent = post(held.url).catch(() => 'cut off');
    await asked.promise;
    await receiver.close();
    expect(await sent).toBe('cut off');
    expect(await Promise.all([upload.received, idle.received])).toEqual(['', '']);
    await expect(post(held.url)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

describe('limits', () => {
  test('a body of the largest size is whole, one byte more is 413 and kept as far as it was read', async () => {
    const receiver = await opened({ limits: { bodyBytes: 100_000 } });
    const address = receiver.address();
    expect((await post(address.url, Buffer.alloc(100_000, 'a'))).status).toBe(200);
    expect((await post(address.url, Buffer.alloc(100_001, 'a'))).status).toBe(413);
    expect(address.deliveries()).toMatchObject([
      { isTooLarge: false, answer: { status: 200 }, rawBody: Buffer.alloc(100_000, 'a') },
      { isTooLarge: true, answer: { status: 413 }, rawBody: Buffer.alloc(100_000, 'a') },
    ]);
  });

  test('a sender that writes far too much may finish, gets its 413, and its connection is closed', async () => {
    const receiver = await opened({ limits: { bodyBytes: 1000 } });
    const address = receiver.address();
    const { socket, received } = rawConnection(receiver);
    const bytes = 32 * 1024 * 1024;
    socket.write(`POST ${pathOf(address)} HTTP/1.1\r\nhost: x\r\ncontent-length: ${bytes}\r\n\r\n`);
    const cutOff = await new Promise((resolve) => socket.write(Buffer.alloc(bytes), resolve));
    expect(cutOff ?? null).toBeNull();
    expect(await received).toMatch(/^HTTP\/1\.1 413 [^]*connection: close\r\n/);
    expect(address.deliveries()).toMatchObject([{ rawBody: Buffer.alloc(1000) }]);
  });

  test.each([
    ['headers', 'POST ADDRESS HTTP/1.1\r\nhost: x\r\nx-slow'],
    ['body', 'POST ADDRESS HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nhalf'],
    ['too large body', 'POST ADDRESS HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\nmuch too much'],
    ['first byte', ''],
  ])('a sender that takes too long over its %s is cut off', async (_, bytes) => {
    const receiver = await opened({ limits: { requestMs: 100, bodyBytes: 10 } });
    const { socket, received } = rawConnection(receiver);
    socket.write(bytes.replace('ADDRESS', pathOf(receiver.address())));
    expect(await received).toMatch(/^HTTP\/1\.1 4(08|13) /);
  });

  test('the time to send does not shorten the time to answer', async () => {
    const receiver = await opened({ limits: { requestMs: 50 } });
    const address = receiver.address(() => setTimeout(600, { status: 204 }));
    expect((await post(address.url)).status).toBe(204);
  });

  test('a full address goes on answering, and keeps no more', async () => {
    const receiver = await opened({ limits: { keptDeliveries: 2 } });
    const address = receiver.address((_, index) => ({ status: 200 + index }));
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await post(address.url)).status);
    expect(statuses).toEqual([200, 201, 202, 203]);
    expect(address.deliveries()).toHaveLength(2);
  });

  test('an address is also full when its bodies and headers are', async () => {
    const receiver = await opened({ limits: { keptBytes: 10_000 } });
    const address = receiver.address();
    for (const length of [8_000, 3_000, 1]) await post(address.url, 'x'.repeat(length));
    expect(address.deliveries()).toHaveLength(1);
  });
});
