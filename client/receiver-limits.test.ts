import { describe, expect, test } from 'vitest';
import { pathOf, post, rawConnection, receivers } from './receiver-testing.ts';

const opened = receivers();

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
    expect(address.deliveries()).toMatchObject([{ ending: { by: 'answer' }, rawBody: Buffer.alloc(1000) }]);
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
    const address = receiver.address(() => ({ status: 204, delayMs: 600 }));
    expect((await post(address.url)).status).toBe(204);
  });

  test('a full address goes on answering, and counts what it does not keep', async () => {
    const receiver = await opened({ limits: { keptDeliveries: 2 } });
    const address = receiver.address((_, index) => ({ status: 200 + index }));
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) statuses.push((await post(address.url)).status);
    expect(statuses).toEqual([200, 201, 202, 203]);
    expect(address.deliveries()).toHaveLength(2);
    expect(address.unkept()).toBe(2);
  });

  test('an address is also full when its bodies and headers are', async () => {
    const receiver = await opened({ limits: { keptBytes: 10_000 } });
    const address = receiver.address();
    for (const length of [8_000, 3_000, 1]) await post(address.url, 'x'.repeat(length));
    expect(address.deliveries()).toHaveLength(1);
    expect(address.unkept()).toBe(2);
  });
});
