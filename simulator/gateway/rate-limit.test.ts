import { expect, test } from 'vitest';
import { rateLimitRules } from '../rules/rate-limit.ts';
import { echoCall, send, runningSimulator } from '../testing/call.ts';

const simulator = runningSimulator();
const windowSeconds = 60;

test.each([
  [0, false],
  [59_999, false],
  [60_000, true],
  [-1, false],
  [-60_000, true],
])('a window of 60 s is over when the clock stands %i ms from its start: %s', (distanceMs, isOver) => {
  expect(rateLimitRules.isWindowOver(1e12, 1e12 + distanceMs, windowSeconds)).toBe(isOver);
});

test.each([
  ['the same limit', { rateLimit: { limit: 2, windowSeconds } }, [200, 200, 429]],
  ['a higher one', { rateLimit: { limit: 3, windowSeconds } }, [200, 200, 200]],
  ['a lower one', { rateLimit: { limit: 1, windowSeconds } }, [200, 429, 429]],
  ['no limit', { rateLimit: null }, [200, 200, 200]],
  ['something else', { state: 'active', subscriptions: 'all' }, [429, 429, 429]],
])('a change to %s starts afresh where it is one of the limit', async (_what, changes, statuses) => {
  const rateLimit = { limit: 2, windowSeconds };
  const { appKey, appSecret } = await simulator.application({ clock: '2031-05-17T09:30:00Z', rateLimit });
  const threeTimes = async (): Promise<number[]> => {
    const found: number[] = [];
    while (found.length < 3)
      found.push((await send(simulator.baseUrl, echoCall(appSecret, { timestamp: '1936776600' }))).status);
    return found;
  };
  expect(await threeTimes()).toEqual([200, 200, 429]);
  await simulator.control('PATCH', `/applications/${appKey}`, changes);
  expect(await threeTimes()).toEqual(statuses);
});
