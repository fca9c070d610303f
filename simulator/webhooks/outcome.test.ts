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
  test.each([
    [0, 60],
    [1, 300],
    [2, 1800],
    [3, 7200],
    [4, 21_600],
  ])('after %i others is retried %i s after its end', (failedAttempts, delaySeconds) => {
    expect(outcome(failure, { state: 'pending', failedAttempts })).toMatchObject({
      progress: { state: 'pending', failedAttempts: failedAttempts + 1 },
      retryMs: endedMs + delaySeconds * 1000,
    });
  });

  test('after five others is the last', () => {
    const last = outcome(failure, { state: 'pending', failedAttempts: 5 });
    expect(last.progress).toEqual({ state: 'dead', failedAttempts: 6 });
    expect(last.retryMs).toBeUndefined();
  });

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

describe('a re-push', () => {
  test.each(['pending', 'held', 'dead', 'delivered'] as const)('that fails leaves a %s delivery as it is', (state) => {
    const before = { progress: { state, failedAttempts: 3 }, breaker: { failuresInARow: 9, isOpen: false } };
    expect(outcome(failure, before.progress, before.breaker, { kind: 'manual' })).toEqual(before);
  });

  test.each(['pending', 'held', 'dead', 'delivered'] as const)('that is acknowledged delivers a %s one', (state) => {
    const after = outcome({ status: 200 }, { state, failedAttempts: 3 }, closed, { kind: 'manual' });
    expect(after.progress).toEqual({ state: 'delivered', failedAttempts: 3 });
  });
});

describe('the breaker', () => {
  test.each<[string, AttemptEnd, Breaker, Partial<OpenAttempt>, Breaker]>([
    ['counts a failure', failure, { failuresInARow: 3, isOpen: false }, {}, { failuresInARow: 4, isOpen: false }],
    ['counts what got no answer', { error: 'x' }, closed, {}, { failuresInARow: 1, isOpen: false }],
    ['opens at the tenth', failure, { failuresInARow: 9, isOpen: false }, {}, { failuresInARow: 10, isOpen: true }],
    ['starts afresh after a success', { status: 204 }, { failuresInARow: 9, isOpen: false }, {}, closed],
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
