import { afterEach, expect, test } from 'vitest';
import type { ClauseId } from '../../contract/catalogue.ts';
import { ledgerMemory, openLedger } from '../../targets/traffic/ledger.ts';
import { foreignAddress, mortalServer, type MortalServer } from '../../targets/testing/server.ts';
import { openTarget } from '../../targets/target.ts';
import { isFrail, isHurried } from './awaiting.ts';
import { queryUntil, queryWhenSettled, statusOf } from './life-cycle.ts';
import { trialOf, type Trial } from './trial.ts';
import { newRecord, type TrialRecord } from './trial-record.ts';

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
  const { inCheck } = await stuckAt('AguardandoAutorizacao', 3);
  const [first, next] = [await inCheck(settled), await inCheck(settled)];
  expect([first, next].map(({ missed }) => isHurried(missed))).toEqual([false, true]);
});

test('a status that stays stale after a cancellation costs one wait, whatever settles in between', async () => {
  const { inCheck } = await stuckAt('Autorizada', 3);
  const hurried: boolean[] = [];
  for (let count = 0; count < 3; count++) {
    expect((await inCheck(settled)).missed.size).toBe(0);
    hurried.push(isHurried((await inCheck(cancelled)).missed));
  }
  expect(hurried).toEqual([false, true, true]);
});

test('what a clause promises is waited for in full by its own check, however much others waited in vain', async () => {
  const { inCheck } = await stuckAt('Autorizada', 2);
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
