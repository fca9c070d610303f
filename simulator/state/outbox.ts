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
} from '../model/delivery.ts';
import { outboxStatements } from './outbox-statements.ts';
import { blobOf, inTransaction, nullableNumberOf, nullableTextOf, numberOf, type Row, textOf, wordOf } from './rows.ts';

/** Events that go out, with every attempt at them. Nothing here is a transaction of its own. Unix milliseconds. */
export interface Outbox {
  /** Keeps an event with its deliveries. */
  add(event: WebhookEvent, deliveries: readonly NewDelivery[]): void;
  /** The earliest time after that one at which an attempt of an application is due. */
  nextDueMs(appKey: string, afterMs: number): number | undefined;
  /** The targets to which something is due at that time, or was before. */
  targetsDue(appKey: string, nowMs: number): number[];
  /** Books at most that many of a target's due attempts as started, those first that are due longest. */
  start(appKey: string, targetId: number, nowMs: number, most: number, newDeliveryId: () => string): OpenAttempt[];
  end(attempt: number, endedMs: number, end: AttemptEnd): void;
  progressOf(delivery: number): Progress;
  /** What becomes of a delivery; `delivered` drops its retries that wait. */
  setProgress(delivery: number, progress: Progress): void;
  /** Plans an attempt at that time. */
  plan(attempt: Pick<OpenAttempt, 'delivery' | 'appKey' | 'targetId'>, kind: AttemptKind, dueMs: number): void;
  /** Holds what waits for a target. */
  hold(targetId: number): void;
  /** Makes what was held for a target due at that time. */
  release(targetId: number, nowMs: number): void;
  /** The deliveries of an event; empty where the application has none of that id. */
  deliveriesOf(appKey: string, eventId: string): { delivery: number; targetId: number; state: DeliveryState }[];
}

/** A delivery of a new event to a target. */
export interface NewDelivery {
  readonly targetId: number;
  readonly state: DeliveryState;
  readonly attempts: readonly { readonly kind: AttemptKind; readonly dueMs: number }[];
}

/** The outbox that this database keeps; what was under way when its last owner ended is due again. */
export function openOutbox(database: DatabaseSync): Outbox {
  resumeInterrupted(database);
  const run = outboxStatements(database);
  return {
    add(event, deliveries) {
      const { appKey, eventId, eventType, rawBody, createdMs } = event;
      const { lastInsertRowid } = run.addEvent.run(eventId, appKey, eventType, rawBody, createdMs);
      for (const { targetId, state, attempts } of deliveries) {
        const added = run.addDelivery.run(lastInsertRowid, targetId, state);
        for (const { kind, dueMs } of attempts) run.plan.run(added.lastInsertRowid, appKey, targetId, kind, dueMs);
      }
    },
    nextDueMs(appKey, afterMs) {
      const row = run.nextDue.get(appKey, afterMs);
      return row && (nullableNumberOf(row, 'due_ms') ?? undefined);
    },
    targetsDue: (appKey, nowMs) =>
      run.targetsDue.all({ app_key: appKey, now_ms: nowMs }).map((row) => numberOf(row, 'target')),
    start: (appKey, targetId, nowMs, most, newDeliveryId) =>
      run.due.all(appKey, targetId, nowMs, most).map((row) => {
        const attempt = openAttemptOf(row, newDeliveryId(), nowMs);
        run.start.run(attempt.deliveryId, nowMs, attempt.id);
        return attempt;
      }),
    end(attempt, endedMs, end) {
      if ('status' in end) run.end.run(endedMs, end.status, null, attempt);
      else run.end.run(endedMs, null, end.error, attempt);
    },
    progressOf(delivery) {
      const row = run.progress.get(delivery);
      if (!row) throw new Error(`the outbox has no delivery ${delivery}`);
      return { state: wordOf(row, 'state', deliveryStates), failedAttempts: numberOf(row, 'failed_attempts') };
    },
    setProgress(delivery, { state, failedAttempts }) {
      run.setProgress.run(state, failedAttempts, delivery);
      if (state === 'delivered') run.dropRetries.run(delivery);
    },
    plan: ({ delivery, appKey, targetId }, kind, dueMs) => void run.plan.run(delivery, appKey, targetId, kind, dueMs),
    hold(targetId) {
      run.dropRetriesOfTarget.run(targetId);
      run.hold.run(targetId);
    },
    release(targetId, nowMs) {
      run.planHeld.run(nowMs, targetId);
      run.release.run(targetId);
    },
    deliveriesOf: (appKey, eventId) =>
      run.ofEvent.all(appKey, eventId).map((row) => ({
        delivery: numberOf(row, 'id'),
        targetId: numberOf(row, 'target'),
        state: wordOf(row, 'state', deliveryStates),
      })),
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
