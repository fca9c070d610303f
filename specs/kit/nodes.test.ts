import { describe, expect, test, afterEach } from 'vitest';
import type { Exchange } from '../../trace/exchange.ts';
import { signedRequest } from '../../client/sign.ts';
import { askedAgain, nodeOf, type AskedAgain } from './nodes.ts';
import type { ClauseId } from '../../contract/catalogue.ts';
import { ledgerMemory, openLedger } from '../../targets/traffic/ledger.ts';
import { foreignAddress, mortalServer, type MortalServer } from '../../targets/testing/server.ts';
import { openTarget } from '../../targets/target.ts';
import { isFrail, isHurried } from './awaiting.ts';
import { queryUntil, queryWhenSettled, statusOf } from './life-cycle.ts';
import { trialOf, type Trial } from './trial.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';

const request = signedRequest({ call: { method: 'GET', path: '/openapi/x' }, token: 't', timestamp: '1' });

/** Numbers from 0 up to 1 that follow from a seed. */
function drawing(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Answered {
  readonly node: number;
  readonly connection?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly peer?: string;
}

/** So many answers, each by some node; node 0 is the bad one. */
function asked(count: number, answered: (nth: number) => Answered): AskedAgain {
  return Array.from({ length: count }, (_, nth) => {
    const { node, ...response } = answered(nth);
    const exchange: Exchange = {
      request,
      sentAtMs: Date.UTC(2026, 0, 1) + nth * 200,
      durationMs: 20,
      response: { status: 200, headers: [], rawBody: Buffer.alloc(0), connection: Math.floor(nth / 4), ...response },
    };
    return { exchange, isBroken: node === 0 };
  });
}

const drawn = (seed: number, nodes: number): (() => number) => {
  const draw = drawing(seed);
  return () => Math.floor(draw() * nodes);
};

describe('a bad node is told', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);
  const told = (make: (draw: () => number, nodes: number) => AskedAgain, nodes: number) =>
    seeds.map((seed) => nodeOf(make(drawn(seed, nodes), nodes))?.by);

  test.each([2, 4, 8])('by a header that says which it is, of %i', (nodes) => {
    const all = told(
      (draw) => asked(60, () => ((node) => ({ node, headers: [['X-Node', `n${node}`]] }))(draw())),
      nodes,
    );
    expect(new Set(all)).toEqual(new Set(['header']));
  });

  test('by the cookie that it gives out, whatever else stands in it', () => {
    const answers = asked(40, (nth) => ({
      node: nth % 3,
      headers: [['set-cookie', `lb=${nth % 3}; Expires=${nth}`]],
    }));
    expect(nodeOf(answers)).toEqual({ by: 'cookie', name: 'set-cookie', value: 'lb=0', wrong: 1, of: 3 });
  });

  test('by its clock', () => {
    const answers = asked(40, (nth) => {
      const ahead = nth % 5 === 0 ? 60 : 0;
      const date = new Date(Date.UTC(2026, 0, 1) + nth * 200 + ahead * 1000).toUTCString();
      return { node: nth % 5, headers: [['date', date]] };
    });
    expect(nodeOf(answers)).toMatchObject({ by: 'clock', value: '60 s', wrong: 1, of: 2 });
  });

  test('by the address that it answers from', () => {
    const answers = asked(40, (nth) => ({ node: nth % 3, peer: `192.0.2.${nth % 3}` }));
    expect(nodeOf(answers)).toEqual({ by: 'address', wrong: 1, of: 3 });
  });

  test.each([2, 4, 8])('by its connections where each has one node, of %i', (nodes) => {
    const sticky = seeds.map((seed) => {
      const nodeAt = Array.from({ length: 38 }, drawn(seed, nodes));
      nodeAt[0] = 0;
      return nodeOf(asked(150, (nth) => ({ node: nodeAt[Math.floor(nth / 4)] ?? 0 })))?.by;
    });
    expect(new Set(sticky)).toEqual(new Set(['connection']));
  });

  test.each([2, 3, 4, 8])('by its turn where %i take turns', (nodes) => {
    expect(nodeOf(asked(80, (nth) => ({ node: nth % nodes })))).toEqual({ by: 'turn', wrong: 1, of: nodes });
  });

  test.each([2, 4, 8])(
    'by its share where one of %i is drawn each time, and never by a connection or a turn',
    (nodes) => {
      const all = told((draw) => asked(120, () => ({ node: draw() })), nodes);
      expect(new Set(all)).toEqual(new Set(['share']));
    },
  );
});

test('nothing is told of what is so each time, never, or too seldom to say', () => {
  expect(nodeOf(asked(20, () => ({ node: 0 })))).toBeUndefined();
  expect(nodeOf(asked(20, () => ({ node: 1 })))).toBeUndefined();
  expect(nodeOf(asked(20, (nth) => ({ node: nth === 7 ? 0 : 1 })))).toBeUndefined();
  expect(nodeOf(asked(150, (nth) => ({ node: nth === 70 ? 0 : 1 })))).toBeUndefined();
});

test.each([
  ['once', [40, 56]],
  ['twice, one of them long', [20, 24, 60, 92]],
])('connections that were wrong for a while, %s, name no node', (_, edges) => {
  const answers = asked(120, (nth) => ({ node: edges.filter((edge) => edge <= nth).length % 2 === 1 ? 0 : 1 }));
  expect(nodeOf(answers)?.by).not.toBe('connection');
});

test('a header that only wrong answers have, or that is new in each, names no node', () => {
  const answers = asked(120, (nth) => ({
    node: (nth * nth) % 7 === 1 ? 0 : 1,
    headers: [...((nth * nth) % 7 === 1 ? [['x-error', 'E1'] as const] : []), ['x-request-id', String(nth)]],
  }));
  expect(nodeOf(answers)?.by).not.toBe('header');
});

test('checks that fail at once ask again one after another, so that the first has enough to tell', async () => {
  const came: string[] = [];
  const server = await mortalServer((incoming, outgoing) => {
    came.push(incoming.url ?? '');
    incoming.resume().on('end', () => outgoing.end());
  });
  servers.push(server);
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const address = foreignAddress(server.baseUrl, {});
  const run = { address, traffic, mostAgain: 8 };
  const askedFor = async (path: string): Promise<void> => {
    const target = openTarget(address, traffic);
    const exchange: Exchange = { request, durationMs: 1 };
    const draft = () => ({ call: { method: 'GET', path }, token: 't', timestamp: '1' });
    const recorder = {
      suspect: () => ({ exchange, aim: undefined, clause: 'echo.status' as const }),
      hasKept: () => true,
      isBreaking: () => came.length % 3 === 0,
      exchange: () => undefined,
    };
    const record = { recorder, drafts: new WeakMap([[exchange, draft]]) };
    await askedAgain(run, target, record).finally(() => target.close());
  };
  await Promise.all(['/openapi/a', '/openapi/b'].map(askedFor));
  expect(came).toEqual(Array.from({ length: 8 }, () => '/openapi/a'));
});

test.each(['X-Error-Code', 'Status', 'Content-MD5', 'Repr-Digest', 'x-amzn-errortype'])(
  'the header %s, which says once more what the answer is, names no node',
  (name) => {
    const answers = asked(120, (nth) => {
      const isWrong = (nth * nth) % 7 === 1;
      return { node: isWrong ? 0 : 1, headers: [[name, isWrong ? 'a' : 'b']] };
    });
    expect(nodeOf(answers)?.by).not.toBe('header');
  },
);

const servers: MortalServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.kill();
});

/** Checks against a server that answers every query with that status for ever; each has the patience of the same run. */
async function stuckAt(status: string, settleTimeoutSeconds: number) {
  const server = await mortalServer((incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.end(JSON.stringify({ status })));
  });
  servers.push(server);
  const traffic = { memory: ledgerMemory(), budget: 0 };
  const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
  const inCheck = async (work: (t: Trial) => Promise<unknown>, isRepetition = false, clause?: ClauseId) => {
    const target = openTarget(foreignAddress(server.baseUrl, { settleTimeoutSeconds }), traffic);
    const record: TrialRecord = { ...newRecord(isRepetition), ...(clause === undefined ? {} : { clause }) };
    await work(trialOf(target, record)).finally(() => target.close());
    return record;
  };
  return { inCheck, ledger };
}

async function settled(t: Trial): Promise<unknown> {
  const exchange = await queryWhenSettled(t, { caller: await t.caller(), empresaId: '1' }, 'a');
  return statusOf(exchange);
}

async function cancelled(t: Trial): Promise<unknown> {
  const issuer = { caller: await t.caller(), empresaId: '1' };
  return queryUntil(t, issuer, 'a', (status) => status === 'Cancelada', 'cancellation');
}

test('a target that never settles costs one wait, and a second a check after that', async () => {
  const { inCheck } = await stuckAt('AguardandoAutorizacao', 1.5);
  const [first, next] = [await inCheck(settled), await inCheck(settled)];
  expect([first, next].map(({ missed }) => isHurried(missed))).toEqual([false, true]);
});

test('a status that stays stale after a cancellation costs one wait, whatever settles in between', async () => {
  const { inCheck } = await stuckAt('Autorizada', 1.5);
  const hurried: boolean[] = [];
  for (let count = 0; count < 3; count++) {
    expect((await inCheck(settled)).missed.size).toBe(0);
    hurried.push(isHurried((await inCheck(cancelled)).missed));
  }
  expect(hurried).toEqual([false, true, true]);
});

test('what a clause promises is waited for in full by its own check, however much others waited in vain', async () => {
  const { inCheck } = await stuckAt('Autorizada', 1.5);
  for (let count = 0; count < 4; count++) await inCheck(cancelled, count === 1);
  const [other, own] = [
    await inCheck(cancelled, false, 'nfe-query.no-danfe-link-when-cancelled'),
    await inCheck(cancelled, false, 'nfe-cancellation.status-becomes-cancelada'),
  ];
  expect([other, own].map(({ missed }) => isHurried(missed))).toEqual([true, false]);
});

test('a wait ends with the run', async () => {
  const { inCheck, ledger } = await stuckAt('AguardandoAutorizacao', 60);
  const waiting = inCheck(settled);
  await expect.poll(() => ledger.sent()).toBeGreaterThan(0);
  ledger.guard.halt('lost', 'target lost');
  await expect(waiting).rejects.toThrow('target lost');
});

test('no answer, a 5xx and what did not come are what a target shows that is going down; any whole answer else is not', () => {
  const request = {
    method: 'GET',
    target: '/',
    headers: [],
    parts: { token: '', path: '/', body: Buffer.alloc(0), timestamp: '' },
  };
  const answered = (status: number) => ({
    request,
    durationMs: 1,
    response: { status, headers: [], rawBody: Buffer.alloc(0) },
  });
  expect(isFrail([answered(200), answered(404)], new Map())).toBe(false);
  expect(isFrail([answered(200), answered(500)], new Map())).toBe(true);
  expect(isFrail([{ request, durationMs: 1, error: 'ECONNRESET' }], new Map())).toBe(true);
  expect(isFrail([answered(200)], new Map([['delivery', true]]))).toBe(true);
});
