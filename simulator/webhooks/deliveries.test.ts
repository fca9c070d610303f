import { describe, expect, test } from 'vitest';
import { runningReceiver, secondsOf, startMs, webhookServices } from '../testing/receiver.ts';
import { attemptsAtOnce, outcomeOf } from './deliveries.ts';
import type { AttemptEnd, Breaker, OpenAttempt, Progress } from '../model.ts';
import { webhookDeliveryRules } from '../rules/webhook-delivery.ts';

const receiver = runningReceiver();
const opened = webhookServices();
const aDay = 24 * 3600;

describe('an answer that takes its time', () => {
  test('ends after so many real seconds where the clock stands still', async () => {
    const service = opened({ rules: { webhookDelivery: { ...webhookDeliveryRules, timeoutSeconds: 1 } } });
    const application = service.application();
    const silent = receiver.address(() => new Promise(() => undefined));
    service.subscribe(application, 'verification', silent.url);
    service.push(application, 'verification');
    await silent.arrived(1);
    await service.advance(application, 0.5, 'none');
    await service.advance(application, 0);
    expect(service.deliveriesOf(application)).toMatchObject([
      { nextAttemptMs: startMs + 60_500, attempts: [{ startedMs: startMs, error: 'no answer within 1 seconds' }] },
    ]);
  });

  test('acknowledges with its first line, whatever becomes of its body', async () => {
    const service = opened();
    const application = service.application();
    const responses: { destroy(): unknown }[] = [];
    const address = receiver.address(() => (response) => {
      response.writeHead(200, { 'content-length': 10 }).write('half');
      responses.push(response);
    });
    service.subscribe(application, 'verification', address.url);
    service.push(application, 'verification');
    await address.arrived(1);
    while (service.deliveriesOf(application)[0]?.state !== 'delivered') await new Promise(setImmediate);
    await service.advance(application, 11, 'none');
    for (const response of responses) response.destroy();
    await service.advance(application, aDay);
    expect(address.arrivals).toHaveLength(1);
  });
});

describe('a slow receiver', () => {
  test('gets so many attempts at once and holds up nobody else', async () => {
    const service = opened();
    const application = service.application();
    const answers: ((status: number) => void)[] = [];
    const slow = receiver.address(() => new Promise((resolve) => answers.push(resolve)));
    const quick = receiver.address();
    const events = 2 * attemptsAtOnce + 1;
    service.subscribe(application, 'verification', slow.url, quick.url);
    for (let sent = 0; sent < events; sent++) service.push(application, 'verification');
    await Promise.all([quick.arrived(events), slow.arrived(attemptsAtOnce)]);
    expect(slow.arrivals).toHaveLength(attemptsAtOnce);
    slow.script = () => 200;
    for (const answer of answers) answer(200);
    await service.advance(application, 0);
    expect(slow.arrivals).toHaveLength(events);
  });

  test('gets the next ones when the first have timed out', async () => {
    const service = opened();
    const application = service.application();
    const slow = receiver.address(() => new Promise(() => undefined));
    service.subscribe(application, 'verification', slow.url);
    for (let sent = 0; sent < attemptsAtOnce + 1; sent++) service.push(application, 'verification');
    await slow.arrived(attemptsAtOnce);
    await service.advance(application, 12, 'none');
    await slow.arrived(attemptsAtOnce + 1);
    expect(secondsOf(slow).at(-1)).toBe(10);
  });
});

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
const openBreaker: Breaker = { failuresInARow: 10, isOpen: true };
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
    const after = outcome(failure, { state: 'held', failedAttempts: 2 }, openBreaker);
    expect(after.progress).toEqual({ state: 'held', failedAttempts: 3 });
    expect(after.retryMs).toBeUndefined();
  });

  test('with its last retry is dead, the breaker open or not', () => {
    expect(outcome(failure, { state: 'held', failedAttempts: 5 }, openBreaker).progress.state).toBe('dead');
  });
});

describe('the breaker', () => {
  test.each<[string, AttemptEnd, Breaker, Partial<OpenAttempt>, Breaker]>([
    ['counts what got no answer', { error: 'x' }, closed, {}, { failuresInARow: 1, isOpen: false }],
    ['stays open after one', { status: 200 }, openBreaker, {}, { failuresInARow: 0, isOpen: true }],
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
