import { expect, test, describe, beforeAll } from 'vitest';
import type { Answer } from './address.ts';
import { portOf } from '../testing/served.ts';
import { post, receivers } from '../testing/server.ts';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createServer, type IncomingMessage } from 'node:http';
import { readArrival, withoutCodings, type Room } from './receiver.ts';
import type { Arrival } from '../../trace/exchange.ts';

describe('answer', () => {
  const opened = receivers();

  describe('a script', () => {
    test('may take its time to decide', async () => {
      const receiver = await opened();
      const address = receiver.address(() => Promise.resolve({ status: 202 }));
      expect((await post(address.url)).status).toBe(202);
    });

    test('that throws is no acknowledgement, and whoever asks what came learns why', async () => {
      const receiver = await opened();
      const address = receiver.address(() => {
        throw new Error('a slip in the script');
      });
      await expect(post(address.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
      expect(() => address.deliveries()).toThrow('a slip in the script');
    });

    test.each<[Answer, string]>([
      [{ status: 199 }, 'status 199: it takes 200 to 599'],
      [{ status: 200.5 }, 'status 200.5: it takes 200 to 599'],
      [{ status: 600 }, 'status 600: it takes 200 to 599'],
      [{ status: 200, headers: [['a b', 'c']] }, 'a b'],
      [{ status: 200, headers: [['a', 'b\r\nc: d']] }, 'Invalid character in header content'],
    ])('that orders what is no HTTP fails the same way: %j', async (answer, why) => {
      const receiver = await opened();
      const address = receiver.address(() => answer);
      await expect(post(address.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
      expect(() => address.deliveries()).toThrow(why);
    });
  });

  describe('the sender', () => {
    test('that leaves before its answer is decided is on record', async () => {
      const receiver = await opened();
      const asked = Promise.withResolvers<void>();
      const decided = Promise.withResolvers<Answer>();
      const address = receiver.address(() => {
        asked.resolve();
        return decided.promise;
      });
      const leaving = new AbortController();
      const sent = post(address.url, '', leaving.signal).catch(() => 'left');
      await asked.promise;
      leaving.abort();
      expect(await sent).toBe('left');
      decided.resolve({ status: 200 });
      await expect.poll(() => address.deliveries()).toMatchObject([{ hasEnded: true }]);
    });
  });
});

describe('arrival', () => {
  const kilo = 1024;
  const room: Room = { leftBytes: 100 * kilo };
  const arrivals: (Arrival | undefined)[] = [];
  async function keep(incoming: IncomingMessage): Promise<void> {
    arrivals.push(await readArrival(incoming, 1024 * kilo, room));
  }
  const server = createServer((incoming, outgoing) => {
    void keep(incoming).then(() => outgoing.end());
  });
  let port = 0;
  beforeAll(async () => {
    port = await portOf(server);
  });

  async function arrived(bytes: number): Promise<Pick<Arrival, 'isTooLarge'> & { bytes: number }> {
    await post(`http://127.0.0.1:${port}/`, Buffer.alloc(bytes, 'x')).catch(() => undefined);
    const { rawBody, isTooLarge = false } = arrivals.at(-1) ?? {};
    return { bytes: rawBody?.length ?? 0, isTooLarge };
  }

  test('a delivery has what is its own, and beyond that what no other delivery has at the time', async () => {
    expect(await arrived(160 * kilo)).toEqual({ bytes: 160 * kilo, isTooLarge: false });
    expect(await arrived(200 * kilo)).toEqual({ bytes: 164 * kilo, isTooLarge: true });
    room.leftBytes = 0;
    expect(await arrived(60 * kilo)).toEqual({ bytes: 60 * kilo, isTooLarge: false });
  });

  test('what a delivery had is there for the next', async () => {
    room.leftBytes = 100 * kilo;
    await arrived(150 * kilo);
    expect(room.leftBytes).toBe(100 * kilo);
  });

  describe('a body in content codings', () => {
    const plain = Buffer.from('{"a":1}');
    const inCodings = (encoding: string, rawBody: Buffer, mostBytes = kilo): Promise<Arrival> => {
      const request = { method: 'POST', target: '/', isTooLarge: false, arrivedAtMs: 0 };
      return withoutCodings({ ...request, headers: [['Content-Encoding', encoding]], rawBody }, mostBytes);
    };

    test('is what is in it, beside the bytes that came', async () => {
      const codedBody = gzipSync(brotliCompressSync(plain));
      expect(await inCodings('br, gzip', codedBody)).toMatchObject({ rawBody: plain, codedBody, isTooLarge: false });
    });

    test('that it does not have stays as it came', async () => {
      for (const encoding of ['gzip', 'identity', 'x-klingon']) {
        const arrival = await inCodings(encoding, plain);
        expect(arrival.rawBody).toBe(plain);
        expect(arrival.codedBody).toBeUndefined();
      }
    });

    test('is too large where what is in it is', async () => {
      const { rawBody, isTooLarge } = await inCodings('gzip', gzipSync(Buffer.alloc(100 * kilo)), kilo);
      expect([rawBody.length, isTooLarge]).toEqual([kilo, true]);
    });
  });
});
