import { describe, expect, test } from 'vitest';
import { languages } from '../../contract/values.ts';
import { rateLimitRules } from '../rules/rate-limit.ts';
import { referenceRules } from '../rules/rules.ts';
import { echoCall, send, signedCall, type TestAnswer } from '../testing/call.ts';
import { runningSimulator, textIn, type Running } from '../testing/running.ts';

const simulator = runningSimulator();
const clock = '2031-05-17T09:30:00Z';
const clockSeconds = 1936776600;
const refused = { status: 429, json: { success: false, errorType: 1, code: 10009006 } };

/** An application on a test clock that is moved only here, and how it calls. */
async function caller(limit: number, windowSeconds = 60, running: Running = simulator) {
  const { appKey, appSecret: token } = await running.application({ clock, rateLimit: { limit, windowSeconds } });
  let timestamp = String(clockSeconds);
  const echo = (): Promise<TestAnswer> => send(running.baseUrl, echoCall(token, { timestamp }));
  const echoes = async (count: number): Promise<number[]> => {
    const statuses: number[] = [];
    while (statuses.length < count) statuses.push((await echo()).status);
    return statuses;
  };
  const statusOf = async (method: string, target: string): Promise<number> =>
    (await send(running.baseUrl, signedCall({ token, method, target, timestamp }))).status;
  const advance = async (advanceSeconds: number): Promise<void> => {
    await running.control('POST', `/applications/${appKey}/clock`, { advanceSeconds });
    timestamp = String(Number(timestamp) + advanceSeconds);
  };
  const change = (changes: object): Promise<TestAnswer> => running.control('PATCH', `/applications/${appKey}`, changes);
  return { echo, echoes, statusOf, advance, change };
}

describe('rate limit', () => {
  test('up to the limit requests are served, and from then on refused with 10009006', async () => {
    const { echo, echoes } = await caller(3);
    expect(await echoes(5)).toEqual([200, 200, 200, 429, 429]);
    expect(await echo()).toMatchObject(refused);
  });

  test('a limit of 0 refuses everything', async () => {
    const { echoes, advance } = await caller(0, 1);
    expect(await echoes(1)).toEqual([429]);
    await advance(2);
    expect(await echoes(1)).toEqual([429]);
  });

  test('without a limit nothing is refused', async () => {
    const { change, echoes } = await caller(0);
    await change({ rateLimit: null });
    expect(new Set(await echoes(30))).toEqual(new Set([200]));
  });

  test('it counts over all endpoints, and the 404 of an unknown path', async () => {
    const { echoes, statusOf } = await caller(3);
    expect(await echoes(1)).toEqual([200]);
    expect(await statusOf('GET', '/openapi/v3/consultas/cnpj/11222333000181')).toBe(200);
    expect(await statusOf('GET', '/openapi/none')).toBe(404);
    expect(await statusOf('DELETE', '/openapi/v2/empresas/x/nf-e/y')).toBe(429);
  });

  test('neither 401, nor 410, nor 403 counts', async () => {
    const { change, echo, echoes, statusOf } = await caller(1);
    expect(await statusOf('POST', '/openapi/nfe/invoice/create')).toBe(410);
    await change({ subscriptions: [] });
    expect(await echo()).toMatchObject({ status: 403, json: { code: 10009005 } });
    await change({ subscriptions: 'all', state: 'disabled' });
    expect(await echo()).toMatchObject({ status: 403, json: { code: 10009004 } });
    await change({ state: 'active' });
    expect(await echoes(2)).toEqual([200, 429]);
    expect(await statusOf('POST', '/openapi/nfe/invoice/create')).toBe(410);
  });

  test('each application has its own count', async () => {
    const [one, other] = [await caller(1), await caller(1)];
    expect(await one.echoes(2)).toEqual([200, 429]);
    expect(await other.echoes(2)).toEqual([200, 429]);
  });

  test('on the system clock it holds as well', async () => {
    const { appSecret } = await simulator.application({ rateLimit: { limit: 1, windowSeconds: 3600 } });
    expect(await send(simulator.baseUrl, echoCall(appSecret))).toMatchObject({ status: 200 });
    expect(await send(simulator.baseUrl, echoCall(appSecret))).toMatchObject(refused);
  });

  test('the refusal follows the language', async () => {
    const { appSecret } = await simulator.application({ rateLimit: { limit: 0, windowSeconds: 60 } });
    const texts = new Set<string>();
    for (const language of languages) {
      const { json } = await send(simulator.baseUrl, echoCall(appSecret, { headers: { language } }));
      texts.add(textIn(json, 'message'));
    }
    expect(texts.size).toBe(languages.length);
  });
});

describe('windows', () => {
  test('one opens with its first request and lasts its seconds, on the clock of the application', async () => {
    const { echoes, advance } = await caller(2, 60);
    await advance(47);
    expect(await echoes(1)).toEqual([200]);
    await advance(59);
    expect(await echoes(2)).toEqual([200, 429]);
    await advance(1);
    expect(await echoes(3)).toEqual([200, 200, 429]);
  });

  test('two whole windows later everything is fresh, refused requests before notwithstanding', async () => {
    const { echoes, advance } = await caller(2, 0.5);
    expect(await echoes(6)).toEqual([200, 200, 429, 429, 429, 429]);
    await advance(1);
    expect(await echoes(3)).toEqual([200, 200, 429]);
  });

  test.each([
    [0, false],
    [59_999, false],
    [60_000, true],
    [-1, false],
    [-60_000, true],
  ])('one of 60 s is over when the clock stands %i ms from its start: %s', (distanceMs, isOver) => {
    const startMs = clockSeconds * 1000;
    expect(rateLimitRules.isWindowOver(startMs, startMs + distanceMs, 60)).toBe(isOver);
  });
});

describe('changing the rate limit', () => {
  test.each([
    ['the same', 2, [200, 200, 429]],
    ['a higher one', 3, [200, 200, 200]],
    ['a lower one', 1, [200, 429, 429]],
  ])('to %s starts afresh', async (_what, limit, statuses) => {
    const { change, echoes } = await caller(2);
    expect(await echoes(3)).toEqual([200, 200, 429]);
    await change({ rateLimit: { limit, windowSeconds: 60 } });
    expect(await echoes(3)).toEqual(statuses);
  });

  test('to none and back starts afresh', async () => {
    const { change, echoes } = await caller(1);
    expect(await echoes(2)).toEqual([200, 429]);
    await change({ rateLimit: null });
    expect(await echoes(1)).toEqual([200]);
    await change({ rateLimit: { limit: 1, windowSeconds: 60 } });
    expect(await echoes(2)).toEqual([200, 429]);
  });

  test('a change of something else does not', async () => {
    const { change, echoes } = await caller(1);
    expect(await echoes(1)).toEqual([200]);
    await change({ state: 'active', subscriptions: 'all' });
    expect(await echoes(1)).toEqual([429]);
  });
});

describe('with rules replaced', () => {
  const other = runningSimulator({
    rules: {
      ...referenceRules,
      rateLimit: {
        counts: ({ method }) => method === 'POST',
        isWindowOver: () => false,
        isExceeded: (count, limit) => count > limit + 1,
        code: 'notSubscribed',
      },
    },
  });

  test('they decide', async () => {
    const { echoes, statusOf, advance } = await caller(0, 1, other);
    expect(await statusOf('GET', '/openapi/none')).toBe(404);
    expect(await echoes(1)).toEqual([200]);
    await advance(2);
    expect(await echoes(1)).toEqual([403]);
    expect(await statusOf('GET', '/openapi/none')).toBe(404);
  });
});
