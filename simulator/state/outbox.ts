import type { DatabaseSync } from 'node:sqlite';
import {
  type AttemptEnd,
  type AttemptKind,
  attemptKinds,
  channels,
  type DeliveryState,
  deliveryStates,
  type OpenAttempt,
  type Progress,
  type WebhookEvent,
} from '../model.ts';
import { blobOf, inTransaction, nullableNumberOf, nullableTextOf, numberOf, type Row, textOf, wordOf } from './rows.ts';

/** Where events, their deliveries and the attempts of these are kept. */
export const outboxTables = `
  CREATE TABLE webhook_events (
    id INTEGER PRIMARY KEY,
    event_id TEXT NOT NULL UNIQUE,
    app_key TEXT NOT NULL,
    event_type TEXT NOT NULL,
    body BLOB NOT NULL, -- the very bytes that go out
    created_ms INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX events_of_application ON webhook_events (app_key);
  CREATE TABLE deliveries ( -- an event to a target
    id INTEGER PRIMARY KEY,
    event INTEGER NOT NULL REFERENCES webhook_events,
    target INTEGER NOT NULL REFERENCES webhook_targets,
    state TEXT NOT NULL,
    failed_attempts INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE INDEX deliveries_of_event ON deliveries (event);
  CREATE INDEX deliveries_of_target ON deliveries (target, state);
  CREATE TABLE attempts (
    id INTEGER PRIMARY KEY,
    delivery INTEGER NOT NULL REFERENCES deliveries,
    app_key TEXT NOT NULL,
    target INTEGER NOT NULL,
    kind TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    delivery_id TEXT,
    started_ms INTEGER, -- NULL: waits
    ended_ms INTEGER, -- NULL, though it started: is under way
    status INTEGER,
    error TEXT
  ) STRICT;
  CREATE INDEX attempts_of_delivery ON attempts (delivery);
  CREATE INDEX waiting_attempts ON attempts (app_key, target, due_ms) WHERE started_ms IS NULL;
  CREATE INDEX waiting_attempts_by_time ON attempts (app_key, due_ms) WHERE started_ms IS NULL;
  CREATE INDEX open_attempts ON attempts (id) WHERE started_ms IS NOT NULL AND ended_ms IS NULL;
`;

/** What the outbox asks of its database. Each costs the same however many deliveries wait. */
export function outboxStatements(database: DatabaseSync) {
  return {
    addEvent: database.prepare(
      'INSERT INTO webhook_events (event_id, app_key, event_type, body, created_ms) VALUES (?, ?, ?, ?, ?)',
    ),
    addDelivery: database.prepare('INSERT INTO deliveries (event, target, state) VALUES (?, ?, ?)'),
    plan: database.prepare('INSERT INTO attempts (delivery, app_key, target, kind, due_ms) VALUES (?, ?, ?, ?, ?)'),
    nextDue: database.prepare(
      'SELECT MIN(due_ms) AS due_ms FROM attempts WHERE app_key = ? AND started_ms IS NULL AND due_ms > ?',
    ),
    targetsDue: database.prepare(targetsDue),
    due: database.prepare(dueAttempts),
    start: database.prepare('UPDATE attempts SET delivery_id = ?, started_ms = ? WHERE id = ?'),
    end: database.prepare('UPDATE attempts SET ended_ms = ?, status = ?, error = ? WHERE id = ?'),
    progress: database.prepare('SELECT state, failed_attempts FROM deliveries WHERE id = ?'),
    setProgress: database.prepare('UPDATE deliveries SET state = ?, failed_attempts = ? WHERE id = ?'),
    dropRetries: database.prepare(
      "DELETE FROM attempts WHERE delivery = ? AND kind = 'planned' AND started_ms IS NULL",
    ),
    ofEvent: database.prepare(`SELECT d.id, d.target, d.state FROM webhook_events e JOIN deliveries d ON d.event = e.id
      WHERE e.app_key = ? AND e.event_id = ? ORDER BY d.id`),
    dropRetriesOfTarget: database.prepare(`DELETE FROM attempts WHERE kind = 'planned' AND started_ms IS NULL
      AND delivery IN (SELECT id FROM deliveries WHERE target = ? AND state = 'pending')`),
    hold: database.prepare("UPDATE deliveries SET state = 'held' WHERE target = ? AND state = 'pending'"),
    planHeld: database.prepare(planHeld),
    release: database.prepare("UPDATE deliveries SET state = 'pending' WHERE target = ? AND state = 'held'"),
  };
}

/** Goes from one target that something waits for to the next, rather than over all that waits. */
const targetsDue = `
  WITH RECURSIVE waiting (target) AS (
    SELECT MIN(target) FROM attempts WHERE app_key = :app_key AND started_ms IS NULL
    UNION ALL
    SELECT (
      SELECT MIN(a.target) FROM attempts a
      WHERE a.app_key = :app_key AND a.started_ms IS NULL AND a.target > waiting.target
    ) FROM waiting WHERE target IS NOT NULL
  )
  SELECT target FROM waiting WHERE EXISTS (
    SELECT 1 FROM attempts a
    WHERE a.app_key = :app_key AND a.started_ms IS NULL AND a.target = waiting.target AND a.due_ms <= :now_ms
  )
`;

const dueAttempts = `
  SELECT a.id, a.kind, a.delivery, a.target, a.app_key, t.channel, t.url, t.token,
    e.event_id, e.event_type, e.body, e.created_ms,
    (SELECT MIN(b.started_ms) FROM attempts b WHERE b.delivery = a.delivery AND b.kind = 'planned') AS first_started_ms
  FROM attempts a
    JOIN deliveries d ON d.id = a.delivery
    JOIN webhook_events e ON e.id = d.event
    JOIN webhook_targets t ON t.id = a.target
  WHERE a.app_key = ? AND a.target = ? AND a.started_ms IS NULL AND a.due_ms <= ?
  ORDER BY a.due_ms, a.id LIMIT ?
`;

/** One that was under way when its breaker opened goes on by itself. */
const planHeld = `
  INSERT INTO attempts (delivery, app_key, target, kind, due_ms)
  SELECT d.id, t.app_key, t.id, 'planned', ?
  FROM webhook_targets t JOIN deliveries d ON d.target = t.id AND d.state = 'held'
  WHERE t.id = ? AND NOT EXISTS (
    SELECT 1 FROM attempts a WHERE a.delivery = d.id AND a.kind = 'planned' AND a.ended_ms IS NULL
  )
`;

/** A delivery of a new event to a target. */
export interface NewDelivery {
  readonly targetId: number;
  readonly state: DeliveryState;
  readonly attempts: readonly { readonly kind: AttemptKind; readonly dueMs: number }[];
}

/** The outbox that this database keeps; what was under way when its last owner ended is due again. */
export class Outbox {
  readonly #run: ReturnType<typeof outboxStatements>;

  constructor(database: DatabaseSync) {
    resumeInterrupted(database);
    this.#run = outboxStatements(database);
  }

  /** Keeps an event with its deliveries. */
  add(event: WebhookEvent, deliveries: readonly NewDelivery[]): void {
    const { appKey, eventId, eventType, rawBody, createdMs } = event;
    const { lastInsertRowid } = this.#run.addEvent.run(eventId, appKey, eventType, rawBody, createdMs);
    for (const { targetId, state, attempts } of deliveries) {
      const added = this.#run.addDelivery.run(lastInsertRowid, targetId, state);
      for (const { kind, dueMs } of attempts) this.#run.plan.run(added.lastInsertRowid, appKey, targetId, kind, dueMs);
    }
  }

  /** The earliest time after that one at which an attempt of an application is due. */
  nextDueMs(appKey: string, afterMs: number): number | undefined {
    const row = this.#run.nextDue.get(appKey, afterMs);
    return row && (nullableNumberOf(row, 'due_ms') ?? undefined);
  }

  /** The targets to which something is due at that time, or was before. */
  targetsDue(appKey: string, nowMs: number): number[] {
    return this.#run.targetsDue.all({ app_key: appKey, now_ms: nowMs }).map((row) => numberOf(row, 'target'));
  }

  /** Books at most that many of a target's due attempts as started, those first that are due longest. */
  start(appKey: string, targetId: number, nowMs: number, most: number, newDeliveryId: () => string): OpenAttempt[] {
    return this.#run.due.all(appKey, targetId, nowMs, most).map((row) => {
      const attempt = openAttemptOf(row, newDeliveryId(), nowMs);
      this.#run.start.run(attempt.deliveryId, nowMs, attempt.id);
      return attempt;
    });
  }

  end(attempt: number, endedMs: number, end: AttemptEnd): void {
    if ('status' in end) this.#run.end.run(endedMs, end.status, null, attempt);
    else this.#run.end.run(endedMs, null, end.error, attempt);
  }

  progressOf(delivery: number): Progress {
    const row = this.#run.progress.get(delivery);
    if (!row) throw new Error(`the outbox has no delivery ${delivery}`);
    return { state: wordOf(row, 'state', deliveryStates), failedAttempts: numberOf(row, 'failed_attempts') };
  }

  /** What becomes of a delivery; `delivered` drops its retries that wait. */
  setProgress(delivery: number, { state, failedAttempts }: Progress): void {
    this.#run.setProgress.run(state, failedAttempts, delivery);
    if (state === 'delivered') this.#run.dropRetries.run(delivery);
  }

  /** Plans an attempt at that time. */
  plan(
    { delivery, appKey, targetId }: Pick<OpenAttempt, 'delivery' | 'appKey' | 'targetId'>,
    kind: AttemptKind,
    dueMs: number,
  ): void {
    this.#run.plan.run(delivery, appKey, targetId, kind, dueMs);
  }

  /** Holds what waits for a target. */
  hold(targetId: number): void {
    this.#run.dropRetriesOfTarget.run(targetId);
    this.#run.hold.run(targetId);
  }

  /** Makes what was held for a target due at that time. */
  release(targetId: number, nowMs: number): void {
    this.#run.planHeld.run(nowMs, targetId);
    this.#run.release.run(targetId);
  }

  /** The deliveries of an event; empty where the application has none of that id. */
  deliveriesOf(appKey: string, eventId: string): ReturnType<typeof deliveryOf>[] {
    return this.#run.ofEvent.all(appKey, eventId).map(deliveryOf);
  }
}

function deliveryOf(row: Row): { delivery: number; targetId: number; state: DeliveryState } {
  return {
    delivery: numberOf(row, 'id'),
    targetId: numberOf(row, 'target'),
    state: wordOf(row, 'state', deliveryStates),
  };
}

function openAttemptOf(row: Row, deliveryId: string, startedMs: number): OpenAttempt {
  return {
    id: numberOf(row, 'id'),
    kind: wordOf(row, 'kind', attemptKinds),
    delivery: numberOf(row, 'delivery'),
    targetId: numberOf(row, 'target'),
    appKey: textOf(row, 'app_key'),
    channel: wordOf(row, 'channel', channels),
    url: textOf(row, 'url'),
    token: nullableTextOf(row, 'token'),
    eventId: textOf(row, 'event_id'),
    eventType: textOf(row, 'event_type'),
    rawBody: blobOf(row, 'body'),
    createdMs: numberOf(row, 'created_ms'),
    firstStartedMs: nullableNumberOf(row, 'first_started_ms') ?? startedMs,
    deliveryId,
    startedMs,
  };
}

/**
 * Ends the attempts that nobody saw the end of, because the simulator ended first, and makes each due again that its delivery
 * still needs. Whether the receiver got it is unknown: it counts as no failure, and no retry is used up. Section 6.
 */
function resumeInterrupted(database: DatabaseSync): void {
  inTransaction(database, () => {
    database.exec(resumed);
    database.exec(ended);
  });
}

const resumed = `
  INSERT INTO attempts (delivery, app_key, target, kind, due_ms)
  SELECT a.delivery, a.app_key, a.target, a.kind, a.started_ms FROM attempts a JOIN deliveries d ON d.id = a.delivery
  WHERE a.started_ms IS NOT NULL AND a.ended_ms IS NULL AND (a.kind = 'manual' OR d.state = 'pending')
`;

const ended = `
  UPDATE attempts SET ended_ms = started_ms, error = 'the simulator ended before the attempt did'
  WHERE started_ms IS NOT NULL AND ended_ms IS NULL
`;
