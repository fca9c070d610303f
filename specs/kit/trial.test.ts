import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../trace/exchange.ts';
import { afterAll, describe, expect, test } from 'vitest';
import { servedBy } from '../../targets/testing/served.ts';
import { codes } from '../../contract/values.ts';
import type { Call, Change, Draft, Standing } from '../../contract/request.ts';
import { echoCall } from '../../generators/calls.ts';
import { rightDraft } from '../../targets/fair-send.ts';
import { answering } from './testing/answering.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import { trialOf, type Trial } from './trial.ts';
import { unwritten, type Recorder } from './recorder.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { signedRequest } from '../../client/sign.ts';
import type { Aim } from '../../trace/records.ts';
import { isCalledAsThen, mayBeAsked } from './nodes.ts';
import { hold, startOf, wholeCharacters } from './shown.ts';
import { targetAt } from './testing/runs.ts';

const control = { url: 'http://127.0.0.1:9', token: 't' };
const flawed: Aim = {
  clause: 'signature.mismatch-refused',
  faults: [{ name: 'signature mismatch', code: codes.signMismatch.code }],
};

interface Asked {
  readonly path: string;
  readonly status: number;
  readonly method?: string;
  readonly aim?: Aim;
  readonly isOfBurst?: true;
}

/** Whether it may be asked again at a sandbox, and where a control API makes applications. */
function asked({ path, status, method = 'POST', aim, isOfBurst }: Asked): readonly [boolean, boolean] {
  const call = { method, path };
  const request = signedRequest({ call, token: 't', timestamp: '1' });
  const response = { status, headers: [], rawBody: Buffer.alloc(0) };
  const exchange: Exchange = { request, response, durationMs: 1, ...(isOfBurst ? { isOfBurst } : {}) };
  const at = (address: Parameters<typeof mayBeAsked>[2]): boolean => mayBeAsked({ aim, exchange }, { call }, address);
  return [at({}), at({ control })];
}

const issuance = '/openapi/v2/empresas/e1/nf-e';

describe('what was answered wrong', () => {
  test.each<[string, Asked, readonly [boolean, boolean]]>([
    ['is asked again where it leaves nothing', { path: '/openapi/demo/echo', status: 200 }, [true, true]],
    [
      'is asked again where a retired path refuses it',
      { path: '/openapi/nfe/invoice/issue', status: 404 },
      [true, true],
    ],
    ['is not where a retired path takes it', { path: '/openapi/nfe/invoice/issue', status: 200 }, [false, false]],
    ['is not where it leaves something', { path: issuance, status: 200 }, [false, false]],
    [
      'is with its flaw alone, and only where that stays with an application of the check’s own',
      { path: issuance, status: 200, aim: flawed },
      [false, true],
    ],
    [
      'is not where it went wrong beside others',
      { path: '/openapi/demo/echo', status: 200, isOfBurst: true },
      [false, false],
    ],
  ])('%s', (_, request, expected) => {
    expect(asked(request)).toEqual(expected);
  });

  test('is not asked again once its caller was made another', () => {
    const standing = { rateLimit: { limit: 0, windowSeconds: 60 } };
    const caller = { appSecret: 'a-secret', appKey: 'k', standing, now: () => 1_790_000_000 };
    const draftAfter = (changed: Standing | undefined): Draft =>
      rightDraft({ secretsOf: () => [], changedStanding: () => changed }, caller, echoCall('again'));
    const request = signedRequest(draftAfter(undefined));
    const isStill = (changed: Standing): boolean =>
      isCalledAsThen({ exchange: { request, durationMs: 1 } }, draftAfter(changed));
    expect([isStill(standing), isStill({})]).toEqual([true, false]);
  });
});

/** A server that answers every echo, and a link only after it has dropped so many connections. */
async function serverDropping(times: number): Promise<string> {
  let asked = 0;
  return servedBy((incoming, outgoing) => {
    if (incoming.method === 'GET' && asked++ < times) incoming.socket.destroy();
    else incoming.resume().on('end', () => outgoing.end('{}'));
  });
}

describe('a link to a document', () => {
  test('that is dropped twice on the way is followed again, and the hiccups are noted', async () => {
    const baseUrl = await serverDropping(2);
    const target = targetAt(foreignAddress(baseUrl));
    const record = newRecord();
    const { response } = await trialOf(target, record).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(response?.status).toBe(200);
    expect(record.hiccups).toHaveLength(2);
  });

  test('that is dropped every time, though the target is there, has no document', async () => {
    const baseUrl = await serverDropping(Infinity);
    const target = targetAt(foreignAddress(baseUrl));
    const exchange = await trialOf(target, newRecord()).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(exchange.response).toBeUndefined();
  });
});

describe('a flawed request and its untouched twin', () => {
  const flaw: Change = (draft) => ({ ...draft, call: { ...draft.call, query: 'flawed' } });
  const refusal = [401, '{"code":10009003}'] as const;
  const otherRefusal = [401, '{"code":10009002}'] as const;

  /** Of each request that is sent for these calls, whether it is the flawed one. */
  async function sentFor(
    calls: readonly Call[],
    ofFlawed: readonly [number, string],
    seed = '1',
  ): Promise<readonly boolean[]> {
    const server = await answering((asked) => (asked.endsWith('flawed') ? ofFlawed : [200, '{}']));
    const t = trialOf(server.open(), newRecord(), seed);
    // Another one each time: a server may get the port of one before it, at which the twins of that caller have passed.
    const caller = { appSecret: randomUUID(), now: () => 1_790_000_000 };
    for (const call of calls) {
      await t.refuses(caller, call, codes.signMismatch, flaw).catch(() => undefined);
    }
    await server.close();
    return server.asked.map((asked) => asked.endsWith('flawed'));
  }

  const countOf = (sent: readonly boolean[], isFlawed: boolean): number =>
    sent.filter((each) => each === isFlawed).length;
  const echoes = (count: number): readonly Call[] => Array.from({ length: count }, () => echoCall('pair'));

  test('are compared for the first of a kind, and for one in sixteen of those that follow', async () => {
    const sent = await sentFor(echoes(200), refusal);
    expect(countOf(sent, true)).toBe(200);
    expect(countOf(sent, false)).toBeGreaterThan(4);
    expect(countOf(sent, false)).toBeLessThan(25);
    for (const seed of ['1', '2', '3', '4', '5'])
      expect(countOf(await sentFor(echoes(1), refusal, seed), false)).toBe(1);
  });

  test('are compared anew for another endpoint, another kind of body and another way to send it', async () => {
    const call = echoCall('pair');
    const others: readonly Call[] = [
      { ...call, path: '/openapi/v3/consultas/nf-e/xml' },
      { ...call, contentType: 'text/plain' },
      { ...call, transfer: 'chunked' },
    ];
    const sent = await sentFor([call, ...others], refusal);
    expect(countOf(sent, false)).toBe(4);
  });

  test('are compared wherever the refusal is another than the one that is wanted', async () => {
    const sent = await sentFor(echoes(20), otherRefusal);
    expect(countOf(sent, false)).toBe(20);
  });

  test('go in an order that is drawn by the seed, so that nodes that take turns get both kinds', async () => {
    const sent = await sentFor(echoes(400), refusal);
    for (const node of [0, 1, 2, 3]) {
      expect(new Set(sent.filter((_, nth) => nth % 4 === node))).toEqual(new Set([true, false]));
    }
    expect(await sentFor(echoes(400), refusal)).toEqual(sent);
    expect(await sentFor(echoes(400), refusal, '2')).not.toEqual(sent);
    const first = await Promise.all(['1', '2', '3', '4', '5', '6'].map((seed) => sentFor(echoes(1), refusal, seed)));
    expect(new Set(first.map(([isFlawed]) => isFlawed))).toEqual(new Set([true, false]));
  });

  test('are not compared where the flawed one passed', async () => {
    const sent = await sentFor(echoes(12), [200, '{}']);
    expect(countOf(sent, true)).toBe(12);
    expect(countOf(sent, false)).toBeLessThan(12);
  });
});

test('the token of a request is known to the mask before the request is written down', async () => {
  const server = await answering(() => [200, '{}']);
  const unmasked: string[] = [];
  const recorder: Recorder = Object.assign(unwritten(), {
    exchange: ({ request }: Exchange) => {
      if (!record.tokens.has(request.parts.token)) unmasked.push(request.parts.token);
    },
  });
  const record: TrialRecord = newRecord(false, recorder);
  const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };
  const nearly: Change = (draft) => ({ ...draft, token: 'a-secret-but-for-its-end' });
  await trialOf(server.open(), record)
    .refuses(caller, echoCall('token'), codes.tokenInvalid, nearly)
    .catch(() => undefined);
  await server.close();
  expect(record.tokens).toContain('a-secret-but-for-its-end');
  expect(unmasked).toEqual([]);
});

test('so many items as are wished are drawn, the same again by the same seed, and each by some', async () => {
  const target = targetAt();
  const drawn = (seed: number): readonly string[] =>
    trialOf(target, newRecord(), String(seed)).drawn('a b c d e f g h i j'.split(' '), 3);
  const all = Array.from({ length: 40 }, (_, seed) => drawn(seed));
  await target.close();
  expect(drawn(7)).toEqual(all[7]);
  expect(all.every((one) => new Set(one).size === 3)).toBe(true);
  expect(new Set(all.flat()).size).toBe(10);
});

describe('of items that are gone through', () => {
  /** Goes through three items of which those prove nothing; which were tried. */
  async function goneThrough(t: Trial, without: readonly number[]): Promise<readonly number[]> {
    const tried: number[] = [];
    await t.each([1, 2, 3], (item) => {
      tried.push(item);
      if (without.includes(item)) throw new LeftOut(`item ${item} may not be sent`);
    });
    return tried;
  }
  const target = targetAt();

  test('those behind one that proves nothing are tried', async () => {
    expect(await goneThrough(trialOf(target, newRecord()), [1, 2])).toEqual([1, 2, 3]);
  });

  test('where none proves anything the first one says why', async () => {
    await expect(goneThrough(trialOf(target, newRecord()), [1, 2, 3])).rejects.toThrow(
      new LeftOut('item 1 may not be sent'),
    );
  });

  afterAll(() => target.close());
});

const mega = 1024 * 1024;

function exchangeOf(rawBody: Buffer): Exchange {
  const parts = { token: 't', path: '/', body: Buffer.alloc(0), timestamp: '1' };
  const request = { method: 'POST', target: '/', headers: [], parts };
  return { request, response: { status: 200, headers: [], rawBody }, durationMs: 1 };
}

function bytesIn(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { response }) => sum + (response?.rawBody.length ?? 0), 0);
}

test('a check holds a few megabytes of bodies, and of its older exchanges only their start', () => {
  const held: Exchange[] = [];
  const replaced: number[] = [];
  for (let at = 0; at < 40; at++) {
    hold(held, exchangeOf(Buffer.alloc(mega, at)), (whole) => replaced.push(whole.response?.rawBody[0] ?? -1));
    expect(bytesIn(held)).toBeLessThan(10 * mega);
  }
  expect(held).toHaveLength(40);
  expect(held.at(-1)?.response?.rawBody).toHaveLength(mega);
  expect(held[0]?.response).toMatchObject({ status: 200, wholeBytes: mega });
  expect(replaced.slice(0, 3)).toEqual([0, 1, 2]);
});

test('an exchange whose body is short stays the one that it is', () => {
  const exchange = exchangeOf(Buffer.from('short'));
  expect(startOf(exchange, 10)).toBe(exchange);
});

test('how many bytes came stays known however often a body is cut', () => {
  const once = startOf(exchangeOf(Buffer.alloc(1_000)), 100);
  expect(startOf(once, 10).response).toMatchObject({ rawBody: Buffer.alloc(10), wholeBytes: 1_000 });
});

test('a text is cut between two characters, and what is no text anywhere', () => {
  expect(wholeCharacters(Buffer.from('aç€😀'), 7).toString()).toBe('aç€');
  expect(wholeCharacters(Buffer.alloc(20, 0x80), 10)).toHaveLength(6);
});
