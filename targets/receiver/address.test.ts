import { expect, test, afterEach, describe, vi, beforeAll } from 'vitest';
import { handoutOf, type Answer } from './address.ts';
import { portOf } from '../testing/served.ts';
import { pathOf, post, rawConnection, receivers } from '../testing/server.ts';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createServer, type IncomingMessage } from 'node:http';
import { readArrival, withoutCodings, type Room } from './receiver.ts';
import type { Arrival } from '../../trace/exchange.ts';

describe('handout', () => {
  const aMinute = 60_000;

  test('one who waits in vain takes what there is, and those behind wait on', async () => {
    const items = [1];
    const handout = handoutOf(items);
    const [many, one] = [handout.next(3, 10), handout.next(1, aMinute)];
    expect(await many).toEqual([1]);
    items.push(2);
    handout.serve();
    expect(await one).toEqual([2]);
  });

  test('one who waits in vain takes nothing from those who came before', async () => {
    const items = [1];
    const handout = handoutOf(items);
    const [first, second] = [handout.next(2, aMinute), handout.next(1, 1)];
    expect(await second).toEqual([]);
    items.push(2);
    handout.serve();
    expect(await first).toEqual([1, 2]);
  });

  test('an item that comes after a time-out is for the next one who asks', async () => {
    const items: number[] = [];
    const handout = handoutOf(items);
    expect(await handout.next(1, 1)).toEqual([]);
    items.push(1);
    expect(await handout.next(1, aMinute)).toEqual([1]);
  });

  test('nobody waits after the end', async () => {
    const items = [1];
    const handout = handoutOf(items);
    const waiting = handout.next(2, aMinute);
    handout.end();
    expect(await waiting).toEqual([1]);
    expect(await handout.next(1, aMinute)).toEqual([]);
  });
});

describe('answer', () => {
  const opened = receivers();
  const isSoon = 5_000;
  afterEach(() => void vi.useRealTimers());

  describe('a script', () => {
    test('may take its time to decide', async () => {
      const receiver = await opened();
      const address = receiver.address(() => Promise.resolve({ status: 202 }));
      expect((await post(address.url)).status).toBe(202);
    });

    test('that throws is no acknowledgement, and whoever waits learns why', async () => {
      const receiver = await opened();
      const address = receiver.address(() => {
        throw new Error('a slip in the script');
      });
      const waiting = address.next(2, 600_000).catch((error: unknown) => error);
      await expect(post(address.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
      expect(await waiting).toEqual(new Error('a slip in the script'));
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
    test('that leaves before a delayed answer leaves no timer behind', async () => {
      const receiver = await opened();
      const address = receiver.address(() => ({ status: 200, delayMs: 600_000 }));
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const { socket, received } = rawConnection(receiver);
      socket.write(`POST ${pathOf(address)} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n`);
      await address.next(1, isSoon);
      expect(vi.getTimerCount()).toBe(1);
      socket.destroy();
      await received;
      await expect.poll(() => address.deliveries()[0]?.ending?.by).toBe('sender');
      expect(vi.getTimerCount()).toBe(0);
    });

    test.each<Answer>(['no-answer', { status: 200, delayMs: 600_000 }])(
      'that leaves before %j is on record',
      async (answer) => {
        const receiver = await opened();
        const address = receiver.address(() => answer);
        const leaving = new AbortController();
        const sent = post(address.url, '', leaving.signal).catch(() => 'left');
        await address.next(1, isSoon);
        leaving.abort();
        expect(await sent).toBe('left');
        await expect.poll(() => address.deliveries()[0]?.ending?.by).toBe('sender');
      },
    );
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
