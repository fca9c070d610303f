import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ledgerMemory } from '../../client/ledger.ts';
import { codes } from '../../contract/codes.ts';
import { echoCall } from '../../generators/calls.ts';
import { openTarget } from '../../targets/target.ts';
import { answering } from './testing/answering.ts';
import { trialOf, type Change } from './trial.ts';
import { unwritten, type Recorder } from './recorder.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';
import { foreignAddress } from '../../targets/testing/foreign-address.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server that answers every echo, and a link only after it has dropped so many connections. */
async function serverDropping(times: number): Promise<string> {
  let asked = 0;
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'GET' && asked++ < times) incoming.socket.destroy();
    else incoming.resume().on('end', () => outgoing.end('{}'));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

describe('a link to a document', () => {
  test('that is dropped twice on the way is followed again, and the hiccups are noted', async () => {
    const baseUrl = await serverDropping(2);
    const target = openTarget(foreignAddress(baseUrl), { memory: ledgerMemory(), budget: 0 });
    const record = newRecord();
    const { response } = await trialOf(target, record).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(response?.status).toBe(200);
    expect(record.hiccups).toHaveLength(2);
  });

  test('that is dropped every time, though the target is there, has no document', async () => {
    const baseUrl = await serverDropping(Infinity);
    const target = openTarget(foreignAddress(baseUrl), { memory: ledgerMemory(), budget: 0 });
    const exchange = await trialOf(target, newRecord()).download(`${baseUrl}/a.xml`);
    await target.close();
    expect(exchange.response).toBeUndefined();
  });
});

describe('a flawed request and its untouched twin', () => {
  const caller = { appSecret: 'a-secret', now: () => 1_790_000_000 };
  const flaw: Change = (draft) => ({ ...draft, call: { ...draft.call, query: 'flawed' } });
  const refusal = [401, '{"code":10009003}'] as const;

  /** Of each request that is sent for so many pairs, whether it is the flawed one. */
  async function sentFor(
    pairs: number,
    seed: string,
    ofFlawed: readonly [number, string],
  ): Promise<readonly boolean[]> {
    const server = await answering((asked) => (asked.endsWith('flawed') ? ofFlawed : [200, '{}']));
    const t = trialOf(server.open(), newRecord(), seed);
    for (let pair = 0; pair < pairs; pair++) {
      await t.refuses(caller, echoCall('pair'), codes.signMismatch, flaw).catch(() => undefined);
    }
    await server.close();
    return server.asked.map((asked) => asked.endsWith('flawed'));
  }

  test('go in an order that is drawn by the seed, so that nodes that take turns get both kinds', async () => {
    const sent = await sentFor(12, '1', refusal);
    expect(sent).toHaveLength(24);
    for (const node of [0, 1, 2, 3]) {
      expect(new Set(sent.filter((_, nth) => nth % 4 === node))).toEqual(new Set([true, false]));
    }
    expect(await sentFor(12, '1', refusal)).toEqual(sent);
    expect(await sentFor(12, '2', refusal)).not.toEqual(sent);
  });

  test('are not compared where the flawed one passed', async () => {
    const sent = await sentFor(12, '1', [200, '{}']);
    expect(sent.filter(Boolean)).toHaveLength(12);
    expect(sent.length).toBeLessThan(24);
  });
});

test('the token of a request is known to the mask before the request is written down', async () => {
  const server = await answering(() => [200, '{}']);
  const unmasked: string[] = [];
  const recorder: Recorder = {
    ...unwritten(),
    exchange: ({ request }) => {
      if (!record.tokens.has(request.parts.token)) unmasked.push(request.parts.token);
    },
  };
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
