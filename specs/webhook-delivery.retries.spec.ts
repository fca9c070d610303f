import fc from 'fast-check';
import type { Script } from '../client/receiver-answer.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { ClockedCaller } from '../targets/target.ts';
import {
  allAttempts,
  beyondRetriesSeconds,
  isOnLadder,
  ladderText,
  retryDelaysSeconds,
  watchLadder,
} from './kit/attempts.ts';
import { headerOfArrival, lacking, until } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import type { Trial } from './kit/trial.ts';
import { noEvent, ownVerdicts, severalVerdicts, someEvents, verify, type Verdicts } from './kit/verdicts.ts';
import type { OwnInbox } from '../targets/inbox.ts';

const refusing: Script = () => ({ status: 500 });

/** The event id of a delivery, however its header may be missing. */
function eventIdOf(t: Trial, arrival: Arrival): string {
  return headerOfArrival(t, arrival, 'Event-Id') ?? '';
}

/** The events of one verification at an address that answers by the script, before time goes on. */
async function eventsBy(
  t: Trial,
  script: Script,
): Promise<{ caller: ClockedCaller; verdicts: Verdicts<OwnInbox>; first: number }> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, script);
  const events = await someEvents(t, caller, verdicts);
  return { caller, verdicts, first: events.length };
}

property(
  'webhook-delivery.acknowledged-by-any-2xx',
  'after any 2xx no retry comes',
  fc.integer({ min: 200, max: 299 }),
  async (t, status) => {
    const { caller, verdicts, first } = await eventsBy(t, () => ({ status }));
    const all = await allAttempts(t, caller, verdicts.events);
    t.holds(all.length === first, {
      expected: `no attempt after the ${status}`,
      actual: `${all.length - first} more`,
      restsOnTime: true,
    });
  },
  { examples: [200, 201, 202, 204, 299] },
);

property(
  'webhook-delivery.other-status-retried',
  'after any other status a retry comes',
  fc.integer({ min: 300, max: 599 }),
  async (t, status) => {
    const { caller, verdicts, first } = await eventsBy(t, () => ({ status }));
    await caller.advance(2 * 60);
    const more = verdicts.events().length - first;
    t.holds(more > 0, {
      expected: `a retry after the ${status}`,
      actual: 'none within 2 minutes',
      restsOnTime: true,
    });
  },
  { examples: [300, 301, 304, 400, 401, 403, 404, 410, 429, 500, 503] },
);

property(
  'webhook-delivery.redirect-not-followed',
  'a redirect is retried where it was, and not followed',
  fc.constantFrom(301, 302, 303, 307, 308),
  async (t, status) => {
    const elsewhere = await t.target.inboxes.open();
    const redirecting: Script = () => ({ status, headers: [['location', elsewhere.url]] });
    const { caller, verdicts, first } = await eventsBy(t, redirecting);
    await caller.advance(2 * 60);
    const followed = elsewhere.arrivals().length;
    t.holds(followed === 0, { expected: 'no request to the Location', actual: `${followed} of them` });
    t.holds(verdicts.events().length > first, {
      expected: `a retry after the ${status}`,
      actual: 'none',
      restsOnTime: true,
    });
  },
  { examples: [301, 302, 303, 307, 308] },
);

check('webhook-delivery.broken-connection-retried', 'a connection that breaks off is tried again', async (t) => {
  const { caller, verdicts, first } = await eventsBy(t, () => 'hang-up');
  await caller.advance(2 * 60);
  t.holds(verdicts.events().length > first, {
    expected: 'a retry after the hang-up',
    actual: 'none',
    restsOnTime: true,
  });
});

check('webhook-delivery.broken-connection-retried', 'a connection that is refused is tried again', async (t) => {
  const caller = await t.target.clockedCaller();
  const receiver = await t.target.inboxes.openReceiver();
  const pathName = 'refused-for-a-while';
  const { url } = receiver.address(undefined, pathName);
  if (!(await t.target.saveVerificationUrls(caller, [url]))) throw new NotExercised('the address was not saved');
  await receiver.close();
  await verify(t, caller);
  await caller.advance(0);
  const again = await t.target.inboxes.openReceiver(Number(new URL(receiver.origin).port));
  const address = again.address(undefined, pathName);
  await caller.advance(2 * 60);
  const arrivals = address.deliveries();
  t.received(...arrivals);
  t.holds(arrivals.length > 0, {
    expected: 'a retry once the receiver is back',
    actual: 'none within 2 minutes',
    restsOnTime: true,
  });
});

/** A script whose answer to the first delivery is given when it is asked for; later ones are acknowledged. */
function onDemand(): { script: Script; give: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const script: Script = async (_, index) => {
    if (index > 0) return { status: 200 };
    await given;
    return { status: 200 };
  };
  return { script, give: () => give() };
}

/** How many deliveries the ladder brings behind a first one that is answered with 200 after so many seconds of the target's clock. */
async function retriesWhenAnsweredAfter(t: Trial, seconds: number): Promise<number> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller);
  // The index counts from the first delivery to the address, which was its test.
  const { script, give } = onDemand();
  let index = 0;
  let hasStarted = false;
  verdicts.inbox.answerBy((arrival) => {
    hasStarted = true;
    return script(arrival, index++);
  });
  await verify(t, caller);
  await caller.advance(0, 'none');
  await until(t, 'verdict', () => hasStarted);
  if (!hasStarted) throw noEvent(t);
  await caller.advance(seconds, 'none');
  give();
  await until(t, 'verdict', () => verdicts.inbox.deliveries().some(({ ending }) => ending !== undefined));
  // An event may come twice; what comes once its time has passed is a retry.
  await caller.advance(0);
  const atOnce = verdicts.events().length;
  await caller.advance(beyondRetriesSeconds);
  const events = verdicts.events();
  t.received(...events);
  return events.length - atOnce;
}

check('webhook-delivery.answer-within-10-seconds', 'an answer after 9 seconds acknowledges', async (t) => {
  const retries = await retriesWhenAnsweredAfter(t, 9);
  t.holds(retries === 0, { expected: 'no retry', actual: `${retries}`, restsOnTime: true });
});

check('webhook-delivery.timeout-after-10-seconds', 'an answer after 11 seconds is too late', async (t) => {
  const retries = await retriesWhenAnsweredAfter(t, 11);
  t.holds(retries > 0, { expected: 'a retry', actual: 'none', restsOnTime: true });
});

check('webhook-delivery.retry-delays', 'retries come at the instants of the ladder', async (t) => {
  const { caller, verdicts } = await eventsBy(t, refusing);
  const times = await watchLadder(t, 'verification', caller, verdicts.events);
  if (times.length === 0) throw lacking(t, 'a retry');
  const retries = times.slice(0, retryDelaysSeconds.length);
  t.holds(isOnLadder(retries), {
    expected: ladderText,
    actual: `retries after ${retries.join(', ')} s`,
    restsOnTime: true,
  });
});

check('webhook-delivery.five-retries', 'an event that is never acknowledged is retried five times', async (t) => {
  const { caller, verdicts, first } = await eventsBy(t, refusing);
  const all = await allAttempts(t, caller, verdicts.events);
  const instants = new Set(all.slice(first).map((arrival) => headerOfArrival(t, arrival, 'Timestamp'))).size;
  // An immediate duplicate bears the timestamp of its attempt; without fresh timestamps every arrival counts.
  const retries = instants <= 1 ? all.length - first : instants;
  t.holds(retries === retryDelaysSeconds.length, {
    expected: '5 retries',
    actual: `${retries}`,
    restsOnTime: true,
  });
});

check('webhook-delivery.dead-letter', 'an event that is never acknowledged ends dead', async (t) => {
  const { caller, verdicts } = await eventsBy(t, refusing);
  const [event] = await allAttempts(t, caller, verdicts.events);
  const records = await t.target.deliveriesOf(caller);
  const record = records.find(({ eventId }) => event && eventId === eventIdOf(t, event));
  t.holds(record?.state === 'dead', { expected: 'the state dead', actual: record?.state ?? 'no record of the event' });
});

check('webhook-delivery.redelivery', 'a dead event that is pushed again by hand arrives', async (t) => {
  const { caller, verdicts } = await eventsBy(t, refusing);
  const before = await allAttempts(t, caller, verdicts.events);
  verdicts.inbox.answerBy(() => ({ status: 200 }));
  const eventId = before[0] ? eventIdOf(t, before[0]) : '';
  await t.target.redeliver(caller, eventId);
  await caller.advance(0);
  const again = verdicts.events().slice(before.length);
  t.received(...again);
  const isSame = again.some((arrival) => eventIdOf(t, arrival) === eventId);
  t.holds(isSame, {
    expected: 'the same event once more',
    actual: `${again.length} deliveries, none of it`,
    restsOnTime: true,
  });
});

check('webhook-delivery.retries-stop-when-acknowledged', 'after an acknowledged retry none follows', async (t) => {
  let attempts = 0;
  const { caller, verdicts, first } = await eventsBy(t, () => ({ status: attempts++ === 0 ? 500 : 200 }));
  await caller.advance(2 * 60);
  const second = verdicts.events().length;
  if (second === first) throw lacking(t, 'a retry');
  const all = await allAttempts(t, caller, verdicts.events);
  t.holds(all.length === second, {
    expected: 'no attempt after the acknowledgement',
    actual: `${all.length - second} more`,
    restsOnTime: true,
  });
});

/** What an event and its retries were like. */
async function retried(t: Trial): Promise<readonly Arrival[]> {
  const { caller, verdicts } = await eventsBy(t, refusing);
  const all = await allAttempts(t, caller, verdicts.events);
  if (all.length < 2) throw lacking(t, 'a retry');
  return all;
}

check('webhook-delivery.event-id-kept-on-retry', 'an event and its retries have one event id', async (t) => {
  const ids = new Set((await retried(t)).map((arrival) => eventIdOf(t, arrival)));
  t.holds(ids.size === 1, { expected: 'one event id', actual: [...ids].join(', ') });
});

check('webhook-delivery.fresh-timestamp-on-retry', 'an event and its retries have a timestamp each', async (t) => {
  const { caller, verdicts, first } = await eventsBy(t, refusing);
  await caller.advance(2 * 60);
  const all = verdicts.events();
  t.received(...all);
  if (all.length === first) throw lacking(t, 'a retry');
  const timestamps = all.map((arrival) => headerOfArrival(t, arrival, 'Timestamp'));
  const before = new Set(timestamps.slice(0, first));
  t.holds(!timestamps.slice(first).some((timestamp) => before.has(timestamp)), {
    expected: 'the retry with a timestamp of its own',
    actual: timestamps.join(', '),
  });
});

check('webhook-delivery.body-kept-on-retry', 'an event and its retries have one body', async (t) => {
  const bodies = new Set((await retried(t)).map(({ rawBody }) => rawBody.toString('base64')));
  t.holds(bodies.size === 1, { expected: 'the same bytes each time', actual: `${bodies.size} different bodies` });
});

check('webhook-delivery.event-id-over-targets', 'two addresses get one event under one event id', async (t) => {
  const ids = new Set((await fannedOut(t)).flat().map((arrival) => eventIdOf(t, arrival)));
  t.holds(ids.size === 1, { expected: 'one event id', actual: [...ids].join(', ') });
});

check('webhook-delivery.all-targets', 'each of two addresses gets the event', async (t) => {
  const counts = (await fannedOut(t)).map((events) => events.length);
  t.holds(
    counts.every((count) => count > 0),
    { expected: 'an event at each address', actual: `${counts.join(' and ')} events`, restsOnTime: true },
  );
});

/** The events of one verification at two addresses. */
async function fannedOut(t: Trial): Promise<readonly (readonly Arrival[])[]> {
  const caller = await t.target.clockedCaller();
  const both = await severalVerdicts(t, caller, [() => ({ status: 200 }), () => ({ status: 200 })]);
  await verify(t, caller);
  await caller.advance(0);
  const events = both.map((verdicts) => verdicts.events());
  t.received(...events.flat());
  if (events.flat().length === 0) throw noEvent(t);
  return events;
}
