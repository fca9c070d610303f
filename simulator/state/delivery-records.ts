import type { DatabaseSync } from 'node:sqlite';
import { channels, deliveryStates, type AttemptRecord, type DeliveryRecord } from '../model/delivery.ts';
import { nullableNumberOf, nullableTextOf, numberOf, textOf, wordOf, type Row } from './columns.ts';

/** Gives all deliveries of an application with their attempts, oldest first. */
export type DeliveryRecords = (appKey: string) => DeliveryRecord[];

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
