import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test, afterAll, describe } from 'vitest';
import { ledgerMemory, openLedger } from './traffic/ledger.ts';
import { openTarget, type TargetListener } from './target.ts';
import { foreignAddress } from './testing/server.ts';
import { answering, blackHole, mortalServer, type MortalServer } from './testing/server.ts';
import { endpoints, fillPath, retiredEndpoints } from '../contract/endpoints.ts';
import { mostPlaces } from './traffic/guard-memory.ts';
import { controlPlaceOf, linkPlace, placeCount, placeOf } from './control.ts';
import { inboxesAt } from './inbox.ts';
import { portOf } from './testing/served.ts';

describe('control', () => {
  const patience = { answerMs: 400, twinMs: 200, pingMs: 200, betweenPingsMs: 50, goneMs: 1_000 };

  const servers: MortalServer[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.kill();
  });

  /** A target whose control API makes applications, and what it was asked for. */
  async function controlled({ appKey = 'k', ...change }: { readonly goneMs?: number; readonly appKey?: string } = {}) {
    const asked: string[] = [];
    const state = { answer: answering(200) };
    const server = await mortalServer((incoming, outgoing) => {
      asked.push(`${incoming.method} ${incoming.url}`);
      state.answer(incoming, outgoing);
    });
    servers.push(server);
    state.answer = (incoming, outgoing) => {
      const application = { appKey, appName: 'n', appSecret: 'a-secret-of-an-application' };
      incoming.resume().on('end', () => outgoing.writeHead(201).end(JSON.stringify(application)));
    };
    const traffic = { memory: ledgerMemory(), budget: 0, patience: { ...patience, ...change } };
    const address = foreignAddress(server.baseUrl, { control: { url: server.baseUrl, token: 't' } });
    const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
    return {
      server,
      state,
      asked,
      ledger,
      open: (listener?: TargetListener) => openTarget(address, traffic, listener),
    };
  }

  test.each([
    ['is killed', undefined],
    ['takes calls and answers none', blackHole],
    ['has only a proxy left that answers 503', answering(503)],
  ])('a control API that %s is lost, and nobody calls it any more', async (_, answer) => {
    const { server, state, asked, ledger, open } = await controlled();
    const target = open();
    await target.caller();
    if (answer) state.answer = answer;
    else server.kill();
    await expect(target.caller()).rejects.toThrow(/^target lost at .*: the control API can't be reached at /);
    expect(ledger.guard.halted()?.kind).toBe('lost');
    const before = asked.length;
    await expect(target.caller()).rejects.toThrow(/^target lost at /);
    expect(asked.length).toBe(before);
    await target.close();
  });

  test('a control API that comes back in time is called again, where the call had not got there', async () => {
    const { server, ledger, open } = await controlled({ goneMs: 60_000 });
    const target = open();
    await target.caller();
    server.kill();
    const caller = target.caller();
    await expect.poll(() => ledger.guard.outages.startsMs().length).toBe(1);
    await server.startAgain();
    expect((await caller).appKey).toBe('k');
    await target.close();
  });

  test('what is done to an application is noted under its App Key, whatever characters that has', async () => {
    const noted: unknown[] = [];
    const { asked, open } = await controlled({ appKey: 'app:1/é' });
    const target = open({
      delivery: () => undefined,
      steering: ({ application }) => void noted.push(application),
    });
    await target.rotate(await target.caller());
    expect(asked.at(-1)).toBe('POST /control/v1/applications/app%3A1%2F%C3%A9/secret');
    expect(noted).toEqual(['app:1/é', 'app:1/é']);
    await target.close();
  });

  test('what is done is done whatever the body of the answer, of which nothing is shown', async () => {
    const { state, open } = await controlled();
    const target = open();
    const caller = await target.caller();
    state.answer = (incoming, outgoing) => void incoming.resume().on('end', () => outgoing.writeHead(200).end());
    await target.putInvoice('1', { status: 'Autorizada' });
    await target.steer(caller, { reachable: false });
    state.answer = (incoming, outgoing) => void incoming.resume().on('end', () => outgoing.writeHead(400).end());
    await expect(target.steer(caller, { reachable: true })).rejects.toThrow(/with 400: /);
    await target.close();
  });

  test('a call that may have got there is not made twice', async () => {
    const { state, asked, open } = await controlled();
    const target = open();
    const { answer } = state;
    state.answer = (incoming) => {
      state.answer = answer;
      incoming.socket.destroy();
    };
    await expect(target.caller()).rejects.toThrow(/^the answer of the control API was lost: /);
    expect(asked.filter((call) => call === 'POST /control/v1/applications')).toHaveLength(1);
    await target.close();
  });
});

describe('place', () => {
  test('every endpoint, links, anywhere else and the control API have places of their own, and there is memory for all', () => {
    const values = { empresaId: 'e', nfeId: 'n', chave: 'c', cnpj: '1', cpf: '2', nascimento: '3' };
    const called = [...endpoints, ...retiredEndpoints].map(({ method, path }) =>
      placeOf({ method, target: fillPath(path, values) }),
    );
    const others = [placeOf({ method: 'GET', target: '/nowhere' }), controlPlaceOf('/a'), controlPlaceOf('/a/clock')];
    const places = [...called, linkPlace, ...others];
    expect(new Set(places).size).toBe(places.length);
    expect(Math.max(...places)).toBeLessThan(placeCount);
    expect(placeCount).toBeLessThanOrEqual(mostPlaces);
    expect(placeOf({ method: 'GET', target: '/any', isLink: true })).toBe(linkPlace);
  });
});

describe('inbox', () => {
  const heard: string[] = [];
  const webhook = { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X-Service', isReachable: true };
  const ledger = openLedger(ledgerMemory(), { maxRps: 0, budget: 0 });
  const inboxes = inboxesAt(webhook, ledger, {
    came: ({ rawBody }) => void heard.push(rawBody.toString('utf8')),
    answered: () => undefined,
  });
  afterAll(() => inboxes.close());

  const post = (url: string, body: string): Promise<Response> => fetch(url, { method: 'POST', body });

  describe('an arrival is told of once, however often the check looks', () => {
    test('at an inbox, also once it answers otherwise', async () => {
      const inbox = await inboxes.open();
      await post(inbox.url, 'first');
      inbox.answerBy(() => ({ status: 500 }));
      await post(inbox.url, 'second');
      expect([inbox.arrivals().length, inbox.deliveries().length]).toEqual([2, 2]);
      expect(heard.splice(0)).toEqual(['first', 'second']);
    });

    test('at a receiver that the check opens', async () => {
      const receiver = await inboxes.openReceiver();
      const address = receiver.address(undefined, 'own');
      await post(address.url, 'third');
      expect(address.deliveries()).toHaveLength(1);
      expect(heard.splice(0)).toEqual(['third']);
    });
  });

  test('a receiver that is opened again waits until its port is free; any other error is told at once', async () => {
    const held = createServer();
    const port = await portOf(held);
    const opening = inboxes.openReceiver(port);
    await setTimeout(50);
    held.close();
    expect((await opening).origin).toBe(`http://127.0.0.1:${port}`);
    const elsewhere = { ...webhook, listen: { host: '192.0.2.1', port: 0 } };
    const unreachable = inboxesAt(elsewhere, ledger, { came: () => undefined, answered: () => undefined });
    await expect(unreachable.openReceiver(1)).rejects.toMatchObject({ code: 'EADDRNOTAVAIL' });
  });

  test('a port that another program has taken since the run began is told with its setting', async () => {
    const held = createServer();
    const port = await portOf(held);
    const taken = inboxesAt({ ...webhook, listen: { host: '127.0.0.1', port } }, ledger, {
      came: () => undefined,
      answered: () => undefined,
    });
    await expect(taken.open()).rejects.toThrow(`NFE_WEBHOOK_LISTEN: port ${port} of 127.0.0.1 was free`);
    held.close();
  });
});
