import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from './receiver-answer.ts';
import { pathOf, post, rawConnection, receivers } from './receiver-testing.ts';

const opened = receivers();
const isSoon = 5_000;
afterEach(() => void vi.useRealTimers());

describe('a script', () => {
  test('orders status, headers and body', async () => {
    const receiver = await opened();
    const address = receiver.address(() => ({
      status: 503,
      headers: [
        ['retry-after', '9'],
        ['x-twice', 'a'],
        ['x-twice', 'b'],
      ],
      body: 'busy',
    }));
    expect(await post(address.url)).toMatchObject({
      status: 503,
      bodyText: 'busy',
      headers: { 'retry-after': '9', 'x-twice': ['a', 'b'], 'content-length': '4' },
    });
  });

  test('is an empty 200 unless another is given', async () => {
    const receiver = await opened();
    expect(await post(receiver.address().url)).toMatchObject({
      status: 200,
      bodyText: '',
      headers: { 'content-length': '0' },
    });
  });

  test('redirects by status and Location', async () => {
    const receiver = await opened();
    const goal = receiver.address();
    const address = receiver.address(() => ({ status: 302, headers: [['location', goal.url]] }));
    expect(await post(address.url)).toMatchObject({ status: 302, headers: { location: goal.url } });
    expect(goal.deliveries()).toEqual([]);
  });

  test('sees the delivery and how many came before it', async () => {
    const receiver = await opened();
    const address = receiver.address(({ rawBody }, index) => ({ status: 200, body: `${index}: ${String(rawBody)}` }));
    expect((await post(address.url, 'a')).bodyText).toBe('0: a');
    expect((await post(address.url, 'b')).bodyText).toBe('1: b');
  });

  test('can be changed between two deliveries', async () => {
    const receiver = await opened();
    const address = receiver.address(() => ({ status: 500 }));
    expect((await post(address.url)).status).toBe(500);
    address.answerBy(() => ({ status: 201 }));
    expect((await post(address.url)).status).toBe(201);
    expect(address.deliveries().map(({ answer }) => answer)).toEqual([{ status: 500 }, { status: 201 }]);
  });

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

  test('waits for a delayed answer', async () => {
    const receiver = await opened();
    const address = receiver.address(() => ({ status: 200, delayMs: 150 }));
    const started = performance.now();
    const sent = post(address.url);
    const [early] = await address.next(1, isSoon);
    expect(early?.ending).toBeUndefined();
    expect((await sent).status).toBe(200);
    expect(performance.now() - started).toBeGreaterThanOrEqual(145);
    const [delivery] = address.deliveries();
    expect(delivery?.ending?.by).toBe('answer');
    expect((delivery?.ending?.atMs ?? 0) - (delivery?.arrivedAtMs ?? 0)).toBeGreaterThanOrEqual(145);
  });

  test('loses its connection by a hang-up', async () => {
    const receiver = await opened();
    const address = receiver.address(() => 'hang-up');
    await expect(post(address.url)).rejects.toMatchObject({ code: 'UND_ERR_SOCKET' });
    expect(await address.next(1, isSoon)).toMatchObject([{ answer: 'hang-up' }]);
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
