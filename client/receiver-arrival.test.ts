import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createServer, type IncomingMessage } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { post } from './receiver-testing.ts';
import { readArrival, withoutCodings, type Arrival, type Room } from './receiver-arrival.ts';

const kilo = 1024;
const room: Room = { leftBytes: 100 * kilo };
const arrivals: (Arrival | undefined)[] = [];
async function keep(incoming: IncomingMessage): Promise<void> {
  arrivals.push(await readArrival(incoming, 1024 * kilo, room));
}
const server = createServer((incoming, outgoing) => {
  void keep(incoming).then(() => outgoing.end());
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function arrived(bytes: number): Promise<Pick<Arrival, 'isTooLarge'> & { bytes: number }> {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
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
