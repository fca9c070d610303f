import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { ledgerMemory, openLedger } from './traffic/ledger.ts';
import type { Call } from '../contract/request.ts';
import type { Traffic } from './address.ts';
import { sendCallAs, sendFairly } from './fair-send.ts';
import { openTarget } from './target.ts';
import { foreignAddress, answering, blackHole, mortalServer, type MortalServer } from './testing/server.ts';

const echo: Call = { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{"message":"a"}') };
const lookup: Call = { method: 'GET', path: '/openapi/v3/consultas/cnpj/1' };

/** How much longer than its patience a run may take on a machine that has more to do. */
const slackMs = 10_000;
const patience = { answerMs: 400, twinMs: 200, pingMs: 200, betweenPingsMs: 50, goneMs: 1_500, limitMs: 1_500 };

const servers: MortalServer[] = [];
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) server.kill();
  for (const close of closers.splice(0)) await close();
});

/** A run against a server that answers as it is told to, and what the server got. */
async function runAgainst(first: RequestListener, change: Partial<Traffic> = {}) {
  const state = { answer: first, paths: [] as string[] };
  const server = await mortalServer((incoming, outgoing) => {
    state.paths.push(incoming.url ?? '');
    state.answer(incoming, outgoing);
  });
  servers.push(server);
  const traffic: Traffic = { memory: ledgerMemory(), budget: 0, patience, ...change };
  const open = async () => {
    const target = openTarget(foreignAddress(server.baseUrl), traffic);
    closers.push(() => target.close());
    return sendCallAs(target, await target.caller());
  };
  return { server, state, open, traffic, ledger: openLedger(traffic.memory, { maxRps: 0, budget: 0 }) };
}

/** The reason why a request got no answer, and how many milliseconds that took to find. */
async function reasonOf(request: Promise<unknown>): Promise<{ reason: string; ms: number }> {
  const started = performance.now();
  const reason = await request.then(
    () => 'answered',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  return { reason, ms: performance.now() - started };
}

let answered = 0;
const unavailable: RequestListener = (incoming, outgoing) =>
  answering([502, 503, 504][answered++ % 3] ?? 502)(incoming, outgoing);

describe('a target that is gone', () => {
  test.each([
    ['takes requests and answers none', blackHole],
    ['answers 502, 503 and 504 in turn', unavailable],
  ])('since it %s is lost in the same time, beyond the pending request', async (_, answer) => {
    const { state, open, ledger } = await runAgainst(answering(200));
    const send = await open();
    await send(echo);
    state.answer = answer;
    const { reason, ms } = await reasonOf(send(lookup));
    expect(reason).toMatch(/^target lost at .* (no response|HTTP 50[234])/);
    expect(ms).toBeLessThan(patience.answerMs + patience.goneMs + slackMs);
    expect(ledger.guard.halted()?.kind).toBe('lost');
  });

  const inMaintenance =
    (seconds: string): RequestListener =>
    (_, outgoing) =>
      outgoing.writeHead(503, { 'retry-after': seconds }).end();

  test('is waited for as long as its answers say by Retry-After', async () => {
    const { state, open, ledger } = await runAgainst(answering(200), { patience: { ...patience, goneMs: 300 } });
    const send = await open();
    state.answer = inMaintenance('2');
    setTimeout(() => (state.answer = answering(200)), 1_500);
    expect((await send(lookup)).response?.status).toBe(200);
    expect(ledger.guard.halted()).toBeUndefined();
  });

  test.each(['3600', 'Fri, 27 Nov 2026 12:00:00 GMT', '-1'])(
    'is lost in the time of its patience where its answers say Retry-After: %s',
    async (said) => {
      const few = { ...patience, goneMs: 300, saidMs: 600 };
      const { state, open, ledger } = await runAgainst(inMaintenance(said), { patience: few });
      const { ms } = await reasonOf((await open())(lookup));
      expect(ledger.guard.halted()?.kind).toBe('lost');
      expect(ms).toBeLessThan(few.saidMs + slackMs);
      expect(state.paths.length).toBeGreaterThan(1);
    },
  );

  test('lets go of every request that still waits for its answer', async () => {
    const { state, open, ledger } = await runAgainst(blackHole, { patience: { ...patience, answerMs: 60_000 } });
    const pending = reasonOf((await open())(lookup));
    await expect.poll(() => state.paths).toEqual([lookup.path]);
    ledger.guard.halt('lost', 'found gone by another thread');
    const { reason, ms } = await pending;
    expect(reason).toBe('found gone by another thread');
    expect(ms).toBeLessThan(slackMs);
  });
});

describe('a 429 that nobody asked for', () => {
  test('on everything ends the run once its patience is used up, and names the setting and the rate', async () => {
    const { state, open, ledger } = await runAgainst(answering(200));
    const send = await open();
    for (let sent = 0; sent < 5; sent++) await send(echo);
    state.answer = answering(429);
    const { reason, ms } = await reasonOf(send(lookup));
    expect(reason).toMatch(
      /^the target limits the rate: 429 at about [\d.]+ requests a second, and still after \d+ s of waiting: NFE_MAX_RPS/,
    );
    expect(ms).toBeLessThan(patience.limitMs + slackMs);
    expect(ledger.guard.halted()?.kind).toBe('limited');
  });

  test('uses up one patience for all who share the ledger', async () => {
    const { state, open, ledger } = await runAgainst(answering(200));
    state.answer = answering(429);
    const [one, other] = [await open(), await open()];
    await Promise.all([reasonOf(one(lookup)), reasonOf(other(lookup))]);
    expect(ledger.guard.pace.takePatience(0, patience.limitMs)).toBe(true);
    expect(ledger.guard.pace.takePatience(1_001, patience.limitMs)).toBe(false);
  });

  test('on one endpoint only leaves the others to the run', async () => {
    const { state, open, ledger } = await runAgainst(answering(200));
    state.answer = (incoming, outgoing) => answering(incoming.url === lookup.path ? 429 : 200)(incoming, outgoing);
    const send = await open();
    const { reason } = await reasonOf(send(lookup));
    expect(reason).toMatch(/^the target limits the rate of GET \/openapi\/v3\/consultas\/cnpj\/1: .* NFE_MAX_RPS/);
    expect((await send(echo)).response?.status).toBe(200);
    expect(ledger.guard.halted()).toBeUndefined();
  });

  test('on what is wrong alone is told as that, and the settings are not blamed', async () => {
    const { server, traffic, ledger } = await runAgainst((incoming, outgoing) =>
      answering(incoming.url === lookup.path ? 429 : 200)(incoming, outgoing),
    );
    const target = openTarget(foreignAddress(server.baseUrl), traffic);
    closers.push(() => target.close());
    const sent = (call: Call) => () => target.send({ call, token: 't', timestamp: '1' });
    const attempt = { send: sent(lookup), twin: sent(echo), echo: sent(echo), isFlawed: true };
    const { reason } = await reasonOf(sendFairly(target, attempt, () => undefined));
    expect(reason).toBe(
      'GET /openapi/v3/consultas/cnpj/1 gets 429 for what is wrong with it: the same request without that is served',
    );
    expect(ledger.guard.halted()).toBeUndefined();
  });

  test('for a while slows the run down to what the target serves', async () => {
    const { state, open, ledger } = await runAgainst(answering(200), { patience: { ...patience, limitMs: 30_000 } });
    const send = await open();
    for (let sent = 0; sent < 10; sent++) await send(echo);
    state.answer = (incoming, outgoing) => {
      state.answer = answering(200);
      answering(429)(incoming, outgoing);
    };
    expect((await send(echo)).response?.status).toBe(200);
    // Eleven were served in the half second or more that the pause took.
    expect(ledger.guard.pace.spacingMicros(ledger.sent())).toBeGreaterThan(500_000 / 11);
  });
});

test('a run whose time is up sends nothing more, and says what it came to', async () => {
  const deadline = { atMs: Date.now() - 1, announcedMinutes: 2, takenMinutes: 7 };
  const { state, open } = await runAgainst(answering(200), { deadline });
  const { reason } = await reasonOf((await open())(echo));
  expect(reason).toMatch(/^the run took 7 min, and 2 were announced: set NFE_MAX_RPS to 0\.1/);
  expect(state.paths).toEqual([]);
});

test('what a run waited in vain is given on top of its time', async () => {
  const deadline = { atMs: Date.now() - 1000, announcedMinutes: 2, takenMinutes: 7 };
  const { open, ledger } = await runAgainst(answering(200), { deadline });
  const send = await open();
  ledger.guard.waits.pass(60_000);
  expect((await send(echo)).response?.status).toBe(200);
  // What came after all was not waited in vain.
  ledger.guard.waits.pass(-60_000);
  expect((await reasonOf(send(echo))).reason).toMatch(/^the run took 7 min/);
});

test('so is what a check made in turn has waited for what came then', async () => {
  const deadline = { atMs: Date.now() - 1000, announcedMinutes: 2, takenMinutes: 7 };
  const { open, ledger } = await runAgainst(answering(200), { deadline });
  const send = await open();
  ledger.guard.waits.noteCameInTurn(60_000);
  expect((await send(echo)).response?.status).toBe(200);
});
