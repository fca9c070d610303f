import type { DatabaseSync } from 'node:sqlite';
import {
  type AttemptRecord,
  type Breaker,
  type Channel,
  channels,
  type DeliveryRecord,
  deliveryStates,
  type Target,
} from '../model.ts';
import { nullableNumberOf, nullableTextOf, numberOf, type Row, textOf, wordOf } from './rows.ts';

/** Where addresses are kept. */
export const webhookTables = `
  CREATE TABLE webhook_targets (
    id INTEGER PRIMARY KEY,
    app_key TEXT NOT NULL,
    channel TEXT NOT NULL,
    url TEXT NOT NULL,
    token TEXT, -- NULL: none is sent
    is_listed INTEGER NOT NULL, -- 0: gets no new events
    failures_in_a_row INTEGER NOT NULL DEFAULT 0,
    is_open INTEGER NOT NULL DEFAULT 0, -- of its breaker
    UNIQUE (app_key, channel, url)
  ) STRICT;
`;

/** The addresses that this database keeps. */
export function openWebhooks(database: DatabaseSync) {
  const run = statements(database);
  const add = (appKey: string, channel: Channel, url: string, token: string | null): Target => {
    const row = run.add.get(appKey, channel, url, token);
    if (!row) throw new Error('the table of webhook targets took no row');
    return targetOf(row);
  };
  return {
    /** Adds an address of the issuance channel, or replaces the token of a known one. Its breaker is left as it is. */
    register: (appKey: string, url: string, token: string): Target => add(appKey, 'issuance', url, token),
    /** Replaces the list of the verification channel. What is owed to an address that leaves it still goes out. */
    setVerificationUrls(appKey: string, urls: readonly string[]): void {
      run.unlist.run(appKey);
      for (const url of urls) add(appKey, 'verification', url, null);
    },
    /** Where new events of the channel go. */
    targetsOf: (appKey: string, channel: Channel): Target[] => run.listed.all(appKey, channel).map(targetOf),
    byId(id: number): Target | undefined {
      const row = run.byId.get(id);
      return row && targetOf(row);
    },
    setBreaker: (id: number, { failuresInARow, isOpen }: Breaker): void =>
      void run.setBreaker.run(failuresInARow, isOpen ? 1 : 0, id),
  };
}

function statements(database: DatabaseSync) {
  return {
    add: database.prepare(`INSERT INTO webhook_targets (app_key, channel, url, token, is_listed) VALUES (?, ?, ?, ?, 1)
      ON CONFLICT DO UPDATE SET token = excluded.token, is_listed = 1 RETURNING *`),
    unlist: database.prepare("UPDATE webhook_targets SET is_listed = 0 WHERE app_key = ? AND channel = 'verification'"),
    listed: database.prepare(
      'SELECT * FROM webhook_targets WHERE app_key = ? AND channel = ? AND is_listed = 1 ORDER BY id',
    ),
    byId: database.prepare('SELECT * FROM webhook_targets WHERE id = ?'),
    setBreaker: database.prepare('UPDATE webhook_targets SET failures_in_a_row = ?, is_open = ? WHERE id = ?'),
  };
}

function targetOf(row: Row): Target {
  return {
    id: numberOf(row, 'id'),
    appKey: textOf(row, 'app_key'),
    channel: wordOf(row, 'channel', channels),
    url: textOf(row, 'url'),
    token: nullableTextOf(row, 'token'),
    breaker: { failuresInARow: numberOf(row, 'failures_in_a_row'), isOpen: numberOf(row, 'is_open') === 1 },
  };
}

/** Gives all deliveries of an application with their attempts, oldest first. */
type DeliveryRecords = (appKey: string) => DeliveryRecord[];

/** The deliveries that this database keeps. */
export function openDeliveryRecords(database: DatabaseSync): DeliveryRecords {
  const deliveries = database.prepare(`
    SELECT d.id, e.event_id, t.channel, e.event_type, t.url, d.state,
      (SELECT MIN(a.due_ms) FROM attempts a WHERE a.delivery = d.id AND a.started_ms IS NULL) AS next_attempt_ms
    FROM webhook_events e JOIN deliveries d ON d.event = e.id JOIN webhook_targets t ON t.id = d.target
    WHERE e.app_key = ? ORDER BY d.id`);
  const ended = database.prepare(`
    SELECT a.delivery, a.delivery_id, a.started_ms, a.status, a.error
    FROM webhook_events e JOIN deliveries d ON d.event = e.id JOIN attempts a ON a.delivery = d.id
    WHERE e.app_key = ? AND a.ended_ms IS NOT NULL ORDER BY a.started_ms, a.id`);
  return (appKey) => {
    const attempts = Map.groupBy(ended.all(appKey), (row) => numberOf(row, 'delivery'));
    return deliveries.all(appKey).map((row) => recordOf(row, attempts.get(numberOf(row, 'id')) ?? []));
  };
}

function recordOf(row: Row, attempts: readonly Row[]): DeliveryRecord {
  return {
    eventId: textOf(row, 'event_id'),
    channel: wordOf(row, 'channel', channels),
    eventType: textOf(row, 'event_type'),
    url: textOf(row, 'url'),
    state: wordOf(row, 'state', deliveryStates),
    nextAttemptMs: nullableNumberOf(row, 'next_attempt_ms'),
    attempts: attempts.map(attemptOf),
  };
}

function attemptOf(row: Row): AttemptRecord {
  return {
    deliveryId: textOf(row, 'delivery_id'),
    startedMs: numberOf(row, 'started_ms'),
    status: nullableNumberOf(row, 'status'),
    error: nullableTextOf(row, 'error'),
  };
}
