import { expect, test, describe } from 'vitest';
import { textLike } from '../testing/call.ts';
import { openApplications, type ApplicationStore } from './applications.ts';
import { openDatabase } from './database.ts';
import { type NewDelivery, Outbox, outboxStatements } from './outbox.ts';
import { openWebhooks } from './webhooks.ts';
import type { Asked, Verdict } from '../model.ts';
import { openState } from './state.ts';

const chave = '35261099999991000125550010000010011172904576';
const asked: Asked = { appKey: 'A', integratorId: 'I', documentHash: 'h', findings: { chave } };
const verdict: Verdict = {
  chaveAcesso: chave,
  validationStatus: 'VALIDATED',
  status: 'Autorizada',
  cStat: '100',
  xMotivo: null,
  protocolo: null,
  dataAutorizacao: null,
  eventos: [],
  verifiedAt: '2031-05-17T09:30:00.000Z',
};

function opened() {
  const database = openDatabase(undefined);
  const { verifications } = openState(database);
  const count = (): unknown => database.prepare('SELECT COUNT(*) AS n FROM verifications').get()?.['n'];
  return { verifications, count };
}

test('what settled is forgotten once a later one of the same chave settles, and never what waits', () => {
  const { verifications, count } = opened();
  for (const dueMs of [10, 20, 30]) verifications.add(asked, dueMs);
  verifications.add({ ...asked, integratorId: 'J' }, 40);
  for (const due of verifications.due('A', 20)) verifications.settle(due, verdict);
  expect(count()).toBe(2);
  expect(verifications.nextDueMs('A', 20)).toBe(30);
  expect(verifications.due('A', 100).map(({ integratorId }) => integratorId)).toEqual(['I', 'J']);
});

test('a verdict is forgotten for all accounts, what was found is not', () => {
  const { verifications } = opened();
  for (const integratorId of ['I', 'J']) verifications.add({ ...asked, integratorId, verdict }, 10);
  verifications.forgetVerdicts(chave);
  for (const integratorId of ['I', 'J']) {
    expect(verifications.latest(integratorId, chave)).toMatchObject({ findings: { chave }, verdict: undefined });
  }
});

function dueAt(dueMs: number, targetId: number): NewDelivery {
  return { targetId, state: 'pending', attempts: [{ kind: 'planned', dueMs }] };
}

test('a target that has nothing waiting is skipped, however many others have', () => {
  const database = openDatabase(undefined);
  const [outbox, webhooks] = [new Outbox(database), openWebhooks(database)];
  const { appKey } = openApplications(database).create({}).application;
  const ids = ['http://a', 'http://b', 'http://c'].map((url) => webhooks.register(appKey, url, 'token').id);
  const event = { appKey, eventType: 'type', rawBody: Buffer.from('{}') };
  const [a = 0, b = 0, c = 0] = ids;
  outbox.add({ ...event, eventId: '1', createdMs: 10 }, [dueAt(10, a)]);
  outbox.add({ ...event, eventId: '2', createdMs: 20 }, [{ targetId: b, state: 'held', attempts: [] }]);
  outbox.add({ ...event, eventId: '3', createdMs: 30 }, [dueAt(30, c)]);
  expect([9, 10, 29, 30].map((nowMs) => outbox.targetsDue(appKey, nowMs))).toEqual([[], [a], [a], [a, c]]);
  expect(outbox.targetsDue('another', 30)).toEqual([]);
  expect([outbox.nextDueMs(appKey, 9), outbox.nextDueMs(appKey, 10), outbox.nextDueMs(appKey, 30)]).toEqual([
    10,
    30,
    undefined,
  ]);
});

test('what is started first is due longest, at most as much as was asked for', () => {
  const database = openDatabase(undefined);
  const [outbox, webhooks] = [new Outbox(database), openWebhooks(database)];
  const { appKey } = openApplications(database).create({}).application;
  const { id } = webhooks.register(appKey, 'http://a', 'token');
  for (const [eventId, createdMs] of [
    ['late', 30],
    ['early', 10],
    ['second', 20],
    ['next', 40],
  ] as const) {
    const event = { appKey, eventType: 'type', rawBody: Buffer.from('{}'), eventId, createdMs };
    outbox.add(event, [dueAt(createdMs, id)]);
  }
  const started = outbox.start(appKey, id, 35, 2, () => 'delivery');
  expect(started.map(({ eventId }) => eventId)).toEqual(['early', 'second']);
  expect(outbox.start(appKey, id, 35, 2, () => 'delivery').map(({ eventId }) => eventId)).toEqual(['late']);
  expect(outbox.start(appKey, id, 35, 2, () => 'delivery')).toEqual([]);
});

test('no statement goes over all that is kept', () => {
  const database = openDatabase(undefined);
  for (const { sourceSQL } of Object.values(outboxStatements(database))) {
    const steps = database
      .prepare(`EXPLAIN QUERY PLAN ${sourceSQL}`)
      .all()
      .map(({ detail }) => detail);
    expect(steps.filter((step) => /^SCAN (?!waiting$|CONSTANT)/.test(String(step)))).toEqual([]);
    expect(steps).not.toContainEqual(textLike(/TEMP B-TREE/));
  }
});

const inMemory = (): ApplicationStore => openApplications(openDatabase(undefined));

describe('applications', () => {
  test('secrets are 32 random bytes and their application is found by them alone', () => {
    const applications = inMemory();
    const [one, other] = [applications.create({}), applications.create({})];
    expect(Buffer.from(one.appSecret, 'base64url')).toHaveLength(32);
    expect(one.appSecret).not.toBe(other.appSecret);
    expect(applications.findBySecret(other.appSecret)).toEqual(other.application);
    expect(applications.findBySecret(one.application.appKey)).toBeUndefined();
    expect(applications.findBySecret('')).toBeUndefined();
  });

  test('a rotation that fails leaves the old secret valid', () => {
    const applications = inMemory();
    const { application, appSecret } = applications.create({});
    expect(() => applications.rotate(application.appKey, (_old, fresh) => [fresh, fresh])).toThrow(/UNIQUE/);
    expect(applications.findBySecret(appSecret)?.appKey).toBe(application.appKey);
  });
});
