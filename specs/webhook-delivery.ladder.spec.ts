import { limits } from '../contract/values.ts';
import type { Arrival } from '../trace/exchange.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { beyondRetriesSeconds, refusing, twoMinutes, watchLadder } from './kit/attempts.ts';
import { headerOfArrival } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import type { Trial } from './kit/trial.ts';
import { eventsBy, noEvent, otherVerdicts, ownVerdicts, severalVerdicts, someEvents, verify } from './kit/verdicts.ts';

/** The event id of a delivery, however its header may be missing. */
function eventIdOf(t: Trial, arrival: Arrival): string {
  return headerOfArrival(t, arrival, 'Event-Id') ?? '';
}

check('webhook-delivery.retry-delays', 'retries come at the instants of the ladder', async (t) => {
  const { caller, verdicts } = await eventsBy(t, refusing, 0);
  await watchLadder(t, 'verification', caller, verdicts.events);
});

check(
  'webhook-delivery.retry-delays',
  'retries come to each of two addresses at the instants of the ladder',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const addresses = await severalVerdicts(t, caller, [refusing, refusing]);
    await verify(t, caller);
    for (const seconds of [0, twoMinutes, 600]) await caller.advance(seconds);
    t.received(...addresses.flatMap(({ events }) => events()));
  },
);

/**
 * Gathers all attempts of two events that are never acknowledged, the second one ten minutes behind the other at one address, and of so
 * many more, each behind the end of the one before.
 */
async function severalAtOneAddress(t: Trial, more = 0): Promise<void> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, refusing);
  await someEvents(t, caller, verdicts);
  await caller.advance(600);
  await verify(t, caller);
  for (const seconds of [0, twoMinutes, beyondRetriesSeconds]) await caller.advance(seconds);
  for (let made = 0; made < more; made += 1) {
    await verify(t, caller);
    for (const seconds of [0, beyondRetriesSeconds]) await caller.advance(seconds);
  }
  t.received(...verdicts.events());
}

check(
  'webhook-delivery.retry-delays',
  'retries of an event come at the instants of the ladder, though another one at its address is further on',
  severalAtOneAddress,
);

check(
  'webhook-delivery.five-retries',
  'an event that is never acknowledged is retried five times, however many there were before',
  (t) => severalAtOneAddress(t, 2),
);

const ofRetries = [
  ['webhook-delivery.event-id-kept-on-retry', 'an event and its retries have one event id'],
  ['webhook-delivery.fresh-timestamp-on-retry', 'an event and its retries have a timestamp each'],
  ['webhook-delivery.body-kept-on-retry', 'an event and its retries have one body'],
] as const;

for (const [clause, title] of ofRetries) {
  check(clause, title, severalAtOneAddress);
}

for (const [clause, title] of [
  ['webhook-delivery.five-retries', 'an event of another verdict than VALIDATED is retried five times'],
  ['webhook-delivery.retry-delays', 'retries of an event of another verdict come at the instants of the ladder'],
] as const) {
  check(
    clause,
    title,
    async (t) => {
      await t.each(Object.values(otherVerdicts), async (asked) => {
        const caller = await t.target.clockedCaller();
        const addresses = await severalVerdicts(t, caller, [refusing, refusing]);
        await asked(t, caller);
        await caller.advance(0);
        if (addresses.every(({ events }) => events().length === 0)) throw noEvent(t);
        await caller.advance(beyondRetriesSeconds);
        t.received(...addresses.flatMap(({ events }) => events()));
      });
    },
    { needs: ['rejected-document'] },
  );
}

check('webhook-delivery.dead-letter', 'an event that is never acknowledged ends dead', async (t) => {
  const { caller, verdicts } = await eventsBy(t, refusing, beyondRetriesSeconds);
  const [event] = verdicts.events();
  const records = await t.target.deliveriesOf(caller);
  const record = records.find(({ eventId }) => event && eventId === eventIdOf(t, event));
  t.holds(record?.state === 'dead', { expected: 'the state dead', actual: record?.state ?? 'no record of the event' });
});

/** Pushes the latest of so many events again by hand that were refused for so long: its deliveries after that, and the event id that was asked for. */
async function pushedAgain(t: Trial, seconds = beyondRetriesSeconds, events = 1) {
  const { caller, verdicts } = await eventsBy(t, refusing, events > 1 ? 0 : seconds);
  if (events > 1) {
    const known = verdicts.events().length;
    for (let made = 1; made < events; made += 1) await verify(t, caller);
    for (const part of [0, seconds]) await caller.advance(part);
    t.received(...verdicts.events().slice(known));
  }
  const before = verdicts.events();
  verdicts.inbox.answerBy(() => ({ status: 200 }));
  const eventId = [...new Set(before.map((arrival) => eventIdOf(t, arrival)))].at(-1) ?? '';
  await t.target.redeliver(caller, eventId);
  await caller.advance(0);
  const again = verdicts.events().slice(before.length);
  t.received(...again);
  return { caller, verdicts, again, eventId };
}

check('webhook-delivery.redelivery', 'a dead event that is pushed again by hand arrives', async (t) => {
  // Of several: whoever takes the oldest for it pushes another one.
  const { again, eventId } = await pushedAgain(t, beyondRetriesSeconds, 2);
  const isSame = again.some((arrival) => eventIdOf(t, arrival) === eventId);
  t.holds(isSame, {
    expected: 'the same event once more',
    actual: `${again.length} deliveries, none of it`,
    restsOnTime: true,
  });
});

check(
  'webhook-delivery.fresh-timestamp-on-retry',
  'an event that is pushed again by hand has a timestamp of its own',
  async (t) => void (await pushedAgain(t)),
);

check('webhook-delivery.retries-stop-when-acknowledged', 'after an acknowledged retry none follows', async (t) => {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, refusing);
  await someEvents(t, caller, verdicts);
  // A duplicate of the first attempt is refused like that one.
  verdicts.inbox.answerBy(() => ({ status: 200 }));
  for (const seconds of [twoMinutes, beyondRetriesSeconds]) await caller.advance(seconds);
  t.received(...verdicts.events());
});

const [firstDelaySeconds] = limits.webhookRetryDelaysSeconds;

/** What comes at the instant of the first retry of an event that was pushed by hand so many seconds behind its first attempt, and acknowledged. */
async function retriesAfterPush(t: Trial, seconds: number): Promise<readonly Arrival[]> {
  const { caller, verdicts, again } = await pushedAgain(t, seconds);
  if (again.length === 0) throw new NotExercised('the event that was pushed again by hand did not arrive');
  const deviation = firstDelaySeconds / 10;
  await caller.advance(firstDelaySeconds - deviation - seconds);
  const count = verdicts.events().length;
  await caller.advance(2 * deviation);
  const retries = verdicts.events().slice(count);
  t.received(...retries);
  return retries;
}

check(
  'webhook-delivery.retries-stop-when-acknowledged',
  'after a push by hand that was acknowledged no retry follows',
  async (t) => {
    let retries: readonly Arrival[] = [];
    // What comes twice may do so at any time: at the instant of a retry as well, but hardly behind pushes at two times.
    for (const seconds of [30, 15]) {
      retries = await retriesAfterPush(t, seconds);
      if (retries.length === 0) break;
    }
    t.holds(retries.length === 0, { expected: 'no attempt after the 200', actual: `${retries.length} more` });
  },
);
