import { expect, test } from 'vitest';
import { textLike } from '../testing/running.ts';
import { openApplications } from './applications.ts';
import { openDatabase } from './database.ts';
import { type NewDelivery, openOutbox, outboxStatements } from './outbox.ts';
import { openWebhooks } from './webhooks.ts';

function dueAt(dueMs: number, targetId: number): NewDelivery {
  return { targetId, state: 'pending', attempts: [{ kind: 'planned', dueMs }] };
}

test('a target that has nothing waiting is skipped, however many others have', () => {
  const database = openDatabase(undefined);
  const [outbox, webhooks] = [openOutbox(database), openWebhooks(database)];
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
  const [outbox, webhooks] = [openOutbox(database), openWebhooks(database)];
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
