import { describe, expect, test } from 'vitest';
import type { AttemptEnd, Breaker, OpenAttempt, Progress } from '../model/delivery.ts';
import { webhookDeliveryRules } from '../rules/webhook-delivery.ts';
import { outcomeOf } from './deliveries.ts';

const attempt: OpenAttempt = {
  id: 1,
  kind: 'planned',
  delivery: 1,
  targetId: 1,
  appKey: 'app',
  channel: 'issuance',
  url: 'http://receiver',
  token: null,
  eventId: 'event',
  eventType: 'type',
  rawBody: Buffer.from('{}'),
  createdMs: 0,
  firstStartedMs: 0,
  deliveryId: 'delivery',
  startedMs: 1000,
};
const failure: AttemptEnd = { status: 500 };
const closed: Breaker = { failuresInARow: 0, isOpen: false };
const opened: Breaker = { failuresInARow: 10, isOpen: true };
const endedMs = 5000;

function outcome(
  end: AttemptEnd,
  progress: Progress,
  breaker: Breaker = closed,
  changes: Partial<OpenAttempt> = {},
): ReturnType<typeof outcomeOf> {
  return outcomeOf({ ...attempt, ...changes }, end, endedMs, { progress, breaker }, webhookDeliveryRules);
}

describe('a planned attempt that fails', () => {
  test('takes nothing back that a re-push achieved meanwhile', () => {
    const after = outcome(failure, { state: 'delivered', failedAttempts: 1 });
    expect(after.progress).toEqual({ state: 'delivered', failedAttempts: 1 });
    expect(after.retryMs).toBeUndefined();
  });

  test('while the breaker is open is held, and its ladder goes on from there', () => {
    const after = outcome(failure, { state: 'held', failedAttempts: 2 }, opened);
    expect(after.progress).toEqual({ state: 'held', failedAttempts: 3 });
    expect(after.retryMs).toBeUndefined();
  });

  test('with its last retry is dead, the breaker open or not', () => {
    expect(outcome(failure, { state: 'held', failedAttempts: 5 }, opened).progress.state).toBe('dead');
  });
});

describe('the breaker', () => {
  test.each<[string, AttemptEnd, Breaker, Partial<OpenAttempt>, Breaker]>([
    ['counts what got no answer', { error: 'x' }, closed, {}, { failuresInARow: 1, isOpen: false }],
    ['stays open after one', { status: 200 }, opened, {}, { failuresInARow: 0, isOpen: true }],
    [
      'is not of the verification channel',
      failure,
      { failuresInARow: 9, isOpen: false },
      { channel: 'verification' },
      {
        failuresInARow: 9,
        isOpen: false,
      },
    ],
    [
      'heeds no re-push',
      { status: 200 },
      { failuresInARow: 9, isOpen: false },
      { kind: 'manual' },
      {
        failuresInARow: 9,
        isOpen: false,
      },
    ],
  ])('%s', (_what, end, before, changes, after) => {
    expect(outcome(end, { state: 'pending', failedAttempts: 0 }, before, changes).breaker).toEqual(after);
  });
});
