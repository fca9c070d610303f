import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { npmTest, withServer } from './testing/runs.ts';

const clause = ['--clause', 'echo.message-returned'];
const settings = { NFE_APP_SECRET: 'any', NFE_MAX_RPS: '0', NFE_NUM_RUNS: '1' };

/** Answers everything in vain, with this `Date`, or with none. */
function answering(date?: () => Date): RequestListener {
  return (incoming, outgoing) => {
    incoming.resume();
    outgoing.sendDate = false;
    incoming.on('end', () => outgoing.writeHead(200, date && { date: date().toUTCString() }).end('{}'));
  };
}

describe.concurrent('the difference of the clocks', () => {
  test('is not told of a target that can’t be reached', async () => {
    const { results } = await npmTest({ ...settings, NFE_BASE_URL: 'http://127.0.0.1:9' }, ...clause);
    expect(results?.clock).toEqual({ movable: false });
  });

  test('is not told of a target whose answers have no time', async () => {
    await withServer(answering(), async (baseUrl) => {
      const { results } = await npmTest({ ...settings, NFE_BASE_URL: baseUrl }, ...clause);
      expect(results?.verdict).toBe('nonconformant');
      expect(results?.clock).toEqual({ movable: false });
    });
  });

  test('is what was measured, in seconds', async () => {
    await withServer(
      answering(() => new Date(Date.now() + 100_000)),
      async (baseUrl) => {
        const { results } = await npmTest({ ...settings, NFE_BASE_URL: baseUrl }, ...clause);
        expect(results?.clock?.skewSeconds).toBeGreaterThan(90);
        expect(results?.clock?.skewSeconds).toBeLessThan(110);
      },
    );
  });
});
