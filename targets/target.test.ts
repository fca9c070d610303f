import { describe, expect, test } from 'vitest';
import { servedBy } from './testing/served.ts';
import { ledgerMemory } from './traffic/ledger.ts';
import type { Exchange } from '../trace/exchange.ts';
import { costBy, leftBehind } from '../contract/endpoints.ts';
import { needs, type Need, type NeedName } from '../contract/clause.ts';
import type { Draft } from '../contract/request.ts';
import type { Credentials, TargetAddress, Traffic } from './address.ts';
import { startEmbedded } from './container.ts';
import { sendFairly } from './fair-send.ts';
import { openTarget } from './target.ts';
import { foreignAddress } from './testing/server.ts';

const traffic = (): Traffic => ({ memory: ledgerMemory(), budget: 0 });
const needNames = Object.keys(needs).filter((name): name is NeedName => name in needs);

function sandbox(credentials: Credentials, change: Partial<TargetAddress> = {}): TargetAddress {
  return foreignAddress('http://127.0.0.1:9', { credentials, rateBurst: 10, ...change });
}

describe('a sandbox known by credentials alone', () => {
  test.each(needNames)('lacks %s, and says which setting would supply it', (need) => {
    const { settings, argument }: Need = needs[need];
    const reason = openTarget(sandbox({ active: 'a' }), traffic()).missing(need)?.reason;
    expect(reason).toMatch(argument === undefined ? /^needs .*: set NFE_/ : /^needs .*: pass --/);
    for (const setting of settings) expect(reason).toContain(setting);
  });

  test.each([
    ['disabled-application', 'disabled'],
    ['pending-application', 'pending'],
    ['rejected-application', 'rejected'],
    ['application-of-disabled-integrator', 'integratorDisabled'],
    ['unsubscribed-application', 'unsubscribed'],
    ['rate-limited-application', 'rateLimited'],
  ] as const)('supplies %s by its secret', async (need, credential) => {
    const target = openTarget(sandbox({ active: 'a', [credential]: 'its-secret' }), traffic());
    expect(target.missing(need)).toBeUndefined();
    expect((await target.callerIn(need)).appSecret).toBe('its-secret');
  });

  test('without the secret of an active application says so', async () => {
    await expect(openTarget(sandbox({}), traffic()).caller()).rejects.toThrow(/set NFE_APP_SECRET$/);
  });
});

describe('a profile', () => {
  const files = ['empresa.json', 'certificado.json', 'certificado.pfx', 'consultas.json'];

  test.each(['empresa', 'known-cnpj'] as const)('supplies %s by its files, to any target', (need) => {
    const profile = { folder: 'p', files };
    expect(openTarget(sandbox({}, { profile }), traffic()).missing(need)).toBeUndefined();
    expect(openTarget(sandbox({}), traffic()).missing(need)?.reason).toMatch(/set .*NFE_PROFILE to a folder with /);
  });

  test('supplies a company that no clause needed to a check that does, by asking for more, not by its files', async () => {
    const all = ['empresa.json', 'outra-empresa.json', 'certificado.json', 'certificado.pfx', 'outro-certificado.pfx'];
    const target = openTarget(sandbox({ active: 'a' }, { profile: { folder: 'p', files: all } }), traffic());
    const send = (): Promise<never> => Promise.reject(new Error('nothing is to be sent'));
    await expect(target.empresa('other', send)).rejects.toThrow(/no such company was registered.*: ask for nfe-query/);
    await expect(openTarget(sandbox({}), traffic()).empresa('other', send)).rejects.toThrow(/outra-empresa\.json/);
  });

  test('supplies nothing for which a file is missing', () => {
    const profile = { folder: 'p', files: files.slice(1) };
    expect(openTarget(sandbox({}, { profile }), traffic()).missing('empresa')?.reason).toMatch(
      /NFE_EMPRESA_ID, or NFE_PROFILE/,
    );
  });

  test('is not needed for a company that NFE_EMPRESA_ID names', () => {
    const given = openTarget(sandbox({}, { empresas: { own: { empresaId: 'e1' } } }), traffic());
    expect(given.missing('empresa')).toBeUndefined();
    expect(given.missing('empresa-registration')?.reason).toMatch(/unset NFE_EMPRESA_ID/);
  });
});

test('a target with control API supplies everything else, each application in the condition asked for', async () => {
  const { address, stop } = await startEmbedded();
  const target = openTarget(address, traffic());
  const controllable = needNames.filter((need) => {
    const { profileFiles, argument }: Need = needs[need];
    return profileFiles === undefined && argument === undefined;
  });
  expect(controllable.map((need) => target.missing(need))).toEqual(controllable.map(() => undefined));
  const { appKey = '' } = await target.callerIn('pending-application');
  const { url = '', token = '' } = address.control ?? {};
  const answer = await fetch(`${url}/control/v1/applications/${appKey}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(await answer.json()).toMatchObject({ state: 'pending', integratorState: 'active', subscriptions: 'all' });
  await target.close();
  await stop();
});

describe('the production interlock', () => {
  const call = { method: 'POST', path: '/openapi/v2/empresas/e1/nf-e', contentType: 'application/json' };
  const draft = (body: string): Draft => ({
    call: { ...call, rawBody: Buffer.from(body) },
    token: 't',
    timestamp: '1790000000',
  });
  const production = draft('{"id":"1","ambienteEmissao":"Producao"}');

  async function received(
    change: Partial<TargetAddress>,
    ...drafts: Draft[]
  ): Promise<{ requests: number; productions: number }> {
    let requests = 0;
    const baseUrl = await servedBy((incoming, outgoing) => {
      requests += 1;
      incoming.resume().on('end', () => outgoing.end());
    });
    const target = openTarget(sandbox({}, { baseUrl, ...change }), traffic());
    try {
      for (const one of drafts) await target.send(one);
      return { requests, productions: target.ledger.productions() };
    } catch {
      return { requests, productions: target.ledger.productions() };
    } finally {
      await target.close();
    }
  }

  test.each([
    [3, 3],
    [undefined, 12],
  ])('lets %s of 12 requests be under way at once', async (burst, expected) => {
    let most = 0;
    const held: (() => void)[] = [];
    const baseUrl = await servedBy((incoming, outgoing) => {
      most = Math.max(
        most,
        held.push(() => outgoing.end()),
      );
      incoming.resume();
      // Nobody is answered before so many are there, and then some time is left for one too many.
      if (most >= expected) setTimeout(() => held.splice(0).forEach((answer) => answer()), 50);
    });
    const target = openTarget(sandbox({}, { baseUrl, ...(burst === undefined ? {} : { burst }) }), traffic());
    const one = draft('{"ambienteEmissao":"Homologacao"}');
    await Promise.all(Array.from({ length: 12 }, () => target.send(one)));
    await target.close();
    expect(most).toBe(expected);
  });

  test('lets no byte of a production issuance leave for a sandbox', async () => {
    expect(await received({}, production)).toEqual({ requests: 0, productions: 0 });
    await expect(openTarget(sandbox({}), traffic()).send(production)).rejects.toThrow(/held back.*NFE_ALLOW_PRODUCAO/);
  });

  test('lets an issuance in Homologacao leave', async () => {
    expect(await received({}, draft('{"ambienteEmissao":"Homologacao"}'))).toEqual({ requests: 1, productions: 0 });
  });

  test('NFE_ALLOW_PRODUCAO lets it leave, and it is counted', async () => {
    expect(await received({ allowProducao: true }, production)).toEqual({ requests: 1, productions: 1 });
  });

  test('a simulator may be sent anything', async () => {
    expect(await received({ kind: 'embedded' }, production)).toEqual({ requests: 1, productions: 0 });
  });
});

test.each([
  { how: {}, trouble: 'settings', message: 'the budget of 1 requests for this run is spent' },
  {
    how: { isAnnounced: true } as const,
    trouble: 'suite',
    message:
      'the 1 requests that were announced as the most are spent, and failures took many, or a limit on the rate that answers 503: ask for fewer topics, mend first what failed, or lower NFE_MAX_RPS',
  },
])('a spent budget lets nothing out and names itself, and whose it is: $trouble', async ({ how, trouble, message }) => {
  const target = openTarget(sandbox({}), { memory: ledgerMemory(), budget: 1, ...how });
  const draft = { call: { method: 'GET', path: '/openapi/x' }, token: 't', timestamp: '1' };
  await target.send(draft);
  await expect(target.send(draft)).rejects.toMatchObject({ message, trouble });
});

test('what has waited for its turn is signed then, not before: its timestamp is of when it goes out', async () => {
  const timestamps: unknown[] = [];
  const baseUrl = await servedBy((incoming, outgoing) => {
    timestamps.push(incoming.headers['timestamp']);
    incoming.resume().on('end', () => outgoing.end());
  });
  const target = openTarget(sandbox({}, { baseUrl, maxRps: 2 }), traffic());
  const call = { method: 'GET', path: '/openapi/x' };
  const draft = (): Draft => ({ call, token: 't', timestamp: String(Math.floor(performance.now())) });
  await Promise.all([target.send(draft), target.send(draft)]);
  const [first = 0, second = 0] = timestamps.map(Number);
  expect(second - first).toBeGreaterThan(400);
  await target.close();
});

test('what no service answered is counted: a broken connection, and what stands in the way answers as well', async () => {
  const statuses = [200, 502, 503, 504, 500, 401];
  const baseUrl = await servedBy((incoming, outgoing) => {
    const status = statuses.shift();
    incoming.resume().on('end', () => (status ? outgoing.writeHead(status).end() : outgoing.destroy()));
  });
  const target = openTarget(sandbox({}, { baseUrl }), traffic());
  const draft = { call: { method: 'GET', path: '/openapi/x' }, token: 't', timestamp: '1' };
  for (let request = 0; request < 7; request++) await target.send(draft);
  await target.download(`${baseUrl}/a-link`);
  expect(target.ledger.unanswered()).toBe(5);
  await target.close();
});

test('since when the App Secret is refused is noted, whoever else is, until a request with it succeeds', async () => {
  const answers = [401, 403, 200, 401, 401].map((status) => [status, status === 403 ? 10_009_004 : 10_009_002]);
  const baseUrl = await servedBy((incoming, outgoing) => {
    const [status = 401, code] = answers.shift() ?? [];
    incoming.resume().on('end', () => outgoing.writeHead(status).end(JSON.stringify({ code })));
  });
  const target = openTarget({ ...sandbox({}, { baseUrl }), credentials: { active: 'mine' } }, traffic());
  const seen: unknown[] = [];
  for (const token of ['mine', 'mine', 'mine', 'another', 'mine']) {
    await target.send({ call: { method: 'GET', path: '/openapi/x' }, token, timestamp: '1' });
    const { code, requests } = target.ledger.refused() ?? {};
    seen.push([code, requests]);
  }
  const none = [undefined, undefined];
  expect(seen).toEqual([[10_009_002, 1], [10_009_002, 2], none, none, [10_009_002, 1]]);
  await target.close();
});

describe('what requests leave behind', () => {
  test.each([
    ['POST', '/openapi/v2/empresas', 'companies'],
    ['POST', '/openapi/v1/empresas/e1/certificadoDigital', 'certificates'],
    ['POST', '/openapi/v1/webhooks', 'addresses'],
    ['DELETE', '/openapi/v2/empresas/e1/nf-e/n1', 'cancellations'],
    ['GET', '/openapi/v2/empresas/e1/nf-e/n1', undefined],
    ['POST', '/openapi/demo/echo', undefined],
  ] as const)('is counted where an answer is 2xx: %s %s leaves %s', async (method, path, left) => {
    const statuses = [200, 204, 400, 401];
    const baseUrl = await servedBy((incoming, outgoing) => {
      incoming.resume().on('end', () => outgoing.writeHead(statuses.shift() ?? 500).end());
    });
    const target = openTarget(sandbox({}, { baseUrl }), traffic());
    for (let request = 0; request < 4; request++)
      await target.send({ call: { method, path }, token: 't', timestamp: '1790000000' });
    await target.close();
    const expected = { ...costBy(() => 0), requests: 4, ...(left ? { [left]: 2 } : {}) };
    expect(target.spent()).toEqual(expected);
    expect(leftBehind((what) => target.ledger.left(what))).toMatchObject(left ? { [left]: 2 } : {});
  });
});

describe('a call that a check left under way when it ended', () => {
  const control = { url: 'http://127.0.0.1:9', token: 't' };
  const soon = { ...traffic(), patience: { goneMs: 1, pingMs: 1, betweenPingsMs: 1 } };
  const draft = { call: { method: 'GET', path: '/openapi/x' }, token: 't', timestamp: '1' } as const;
  const caller = { appSecret: 's', appKey: 'k', now: () => 1 };
  const attempted = (send: () => Promise<Exchange>) => ({ send, twin: send, echo: send });
  const quiet = (): void => undefined;

  test.each<[string, (target: ReturnType<typeof openTarget>) => Promise<unknown>]>([
    ['of the control API', (target) => target.deliveriesOf(caller)],
    [
      'of the service',
      (target) =>
        sendFairly(
          target,
          attempted(() => target.send(draft)),
          quiet,
        ),
    ],
  ])('is refused, and loses no target for those that follow: %s', async (_, call) => {
    const target = openTarget(sandbox({}, { control }), soon);
    await Promise.all([expect(call(target)).rejects.toThrow('the check has ended'), target.close()]);
    expect(target.ledger.guard.halted()).toBeUndefined();
  });
});
