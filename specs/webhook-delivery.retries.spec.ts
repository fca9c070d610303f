import fc from 'fast-check';
import type { OrderedResponse, Script } from '../targets/receiver/address.ts';
import type { Arrival } from '../trace/exchange.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { ClockedCaller } from '../targets/applications.ts';
import { beyondRetriesSeconds, watchLadder } from './kit/attempts.ts';
import { headerOfArrival, until } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import type { Trial } from './kit/trial.ts';
import {
  noEvent,
  ownVerdicts,
  severalVerdicts,
  someEvents,
  verify,
  verifyRejected,
  type Verdicts,
} from './kit/verdicts.ts';
import type { OwnInbox } from '../targets/inbox.ts';

/** Many more attempts than are ever due at an address here. */
const endless = 40;

/** Refuses each attempt, and each with another status than the one before it; who never ends is heard to be wrong by then, and is let go. */
const refusing: Script = (_, attempt) => ({ status: attempt >= endless ? 200 : attempt % 2 === 0 ? 500 : 503 });

/** The event id of a delivery, however its header may be missing. */
function eventIdOf(t: Trial, arrival: Arrival): string {
  return headerOfArrival(t, arrival, 'Event-Id') ?? '';
}

/** An event of one verification at an address that answers by the script; time goes on for so long behind it. */
async function eventsBy(
  t: Trial,
  script: Script,
  seconds: number,
): Promise<{ caller: ClockedCaller; verdicts: Verdicts<OwnInbox> }> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, script);
  await someEvents(t, caller, verdicts);
  await caller.advance(seconds);
  t.received(...verdicts.events());
  return { caller, verdicts };
}

/** Long enough for the first retry. */
const twoMinutes = 120;

/** An answer with one of these statuses: what else it says counts for nothing. Section 6.3. */
function answers(min: number, max: number): fc.Arbitrary<OrderedResponse> {
  return fc.record({
    status: fc.integer({ min, max }),
    headers: fc.subarray([retryAfter, jsonType, location, closing]),
    body: fc.constantFrom('', 'OK', 'success', failed, succeeded),
  });
}

const location: readonly [string, string] = ['location', '/elsewhere'];
const closing: readonly [string, string] = ['connection', 'close'];
const retryAfter: readonly [string, string] = ['retry-after', '3600'];
const htmlType: readonly [string, string] = ['content-type', 'text/html'];
const jsonType: readonly [string, string] = ['content-type', 'application/json'];
const [failed, succeeded] = [
  '{"success":false,"code":500,"message":"error"}',
  '{"success":true,"code":0,"message":"OK"}',
];

property(
  'webhook-delivery.acknowledged-by-any-2xx',
  'after any 2xx no retry comes, whatever else the answer says',
  answers(200, 299),
  async (t, answer) => void (await eventsBy(t, () => answer, beyondRetriesSeconds)),
  {
    examples: [
      ...[200, 201, 202, 204, 299].map((status) => ({ status })),
      { status: 200, headers: [jsonType], body: failed },
      { status: 202, headers: [retryAfter, htmlType, location, closing], body: '<p>error</p>' },
    ],
    mostPolitely: 7,
  },
);

property(
  'webhook-delivery.other-status-retried',
  'after any other status a retry comes, whatever else the answer says',
  answers(300, 599),
  async (t, answer) => void (await eventsBy(t, () => answer, twoMinutes)),
  {
    examples: [
      { status: 400, headers: [jsonType], body: succeeded },
      { status: 429, headers: [retryAfter] },
      { status: 503, headers: [retryAfter], body: 'OK' },
      ...[304, 404, 410, 500, 300, 301, 400, 401, 403, 429].map((status) => ({ status })),
    ],
    mostPolitely: 7,
    isOtherWay: true,
  },
);

/** Has an event sent to addresses that answer with these, one each, and waits until a retry would have come. */
async function answeredBy(t: Trial, statuses: readonly number[]): Promise<void> {
  const caller = await t.target.clockedCaller();
  const addresses = await severalVerdicts(
    t,
    caller,
    statuses.map((status) => () => ({ status })),
  );
  await verify(t, caller);
  await caller.advance(0);
  await caller.advance(twoMinutes);
  t.received(...addresses.flatMap(({ events }) => events()));
}

check(
  'webhook-delivery.other-status-retried',
  'of several addresses each is tried again by its own answers, whatever they are',
  async (t) => {
    await t.each(
      [
        [500, 200],
        [200, 500],
        [500, 503],
        [300, 303, 305, 306, 307, 308, 402, 405, 406, 408, 409],
        [412, 413, 415, 418, 422, 423, 425, 451],
        [501, 502, 504, 505, 507, 508, 511, 599],
      ] as const,
      (statuses) => answeredBy(t, statuses),
    );
  },
  { isOtherWay: true },
);

check(
  'webhook-delivery.acknowledged-by-any-2xx',
  'an address that has acknowledged is not tried again with another that has not',
  async (t) => {
    await answeredBy(t, [200, 500]);
    await answeredBy(t, [203, 205, 206, 207, 208, 226, 250, 500]);
  },
);

property(
  'webhook-delivery.redirect-not-followed',
  'a redirect is retried where it was, and not followed',
  fc.constantFrom(301, 302, 303, 307, 308),
  async (t, status) => {
    const elsewhere = await t.target.inboxes.open();
    await eventsBy(t, () => ({ status, headers: [['location', elsewhere.url]] }), twoMinutes);
    const followed = elsewhere.arrivals().length;
    t.holds(followed === 0, { expected: 'no request to the Location', actual: `${followed} of them` });
  },
  { examples: [301, 302, 303, 307, 308], mostPolitely: 5, isOtherWay: true },
);

check(
  'webhook-delivery.broken-connection-retried',
  'a connection that breaks off is tried again',
  async (t) => void (await eventsBy(t, () => 'hang-up', twoMinutes)),
  { isOtherWay: true },
);

check(
  'webhook-delivery.broken-connection-retried',
  'a connection that is refused is tried again',
  async (t) => {
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
  },
  { isOtherWay: true },
);

/** A script that acknowledges when it is asked to, and at once from then on: a duplicate may come before, and would acknowledge the event. */
function onDemand(): { script: Script; give: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const script: Script = async () => {
    await given;
    return { status: 200 };
  };
  return { script, give: () => give() };
}

/** What came of an event again: at the instant of its first retry by any reading, and in all but at once. */
interface Again {
  readonly atFirstRetry: number;
  readonly everLater: number;
}

/** Between which seconds after the first attempt its first retry comes, if it ended within 11 seconds. Section 6.4. */
const firstRetry = { from: 50, to: 86 };

/** What is delivered behind a first attempt that is answered with 200 after so many seconds of the target's clock. */
async function againWhenAnsweredAfter(t: Trial, seconds: number): Promise<Again> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller);
  const { script, give } = onDemand();
  let hasStarted = false;
  verdicts.inbox.answerBy((arrival, index) => {
    hasStarted = true;
    return script(arrival, index);
  });
  await verify(t, caller);
  await caller.advance(0, 'none');
  await until(t, 'verdict', () => hasStarted);
  if (!hasStarted) throw noEvent(t);
  await caller.advance(seconds, 'none');
  give();
  await until(t, 'verdict', () => verdicts.inbox.deliveries().some(({ ending }) => ending !== undefined));
  // An event may come twice, at any time; what comes at the instant of a retry is one.
  const counts: number[] = [];
  for (const step of [0, firstRetry.from - seconds, firstRetry.to - firstRetry.from, beyondRetriesSeconds]) {
    await caller.advance(step);
    counts.push(verdicts.events().length);
  }
  const [atOnce = 0, before = 0, after = 0, all = 0] = counts;
  t.received(...verdicts.events());
  return { atFirstRetry: after - before, everLater: all - atOnce };
}

check('webhook-delivery.answer-within-10-seconds', 'an answer after 9 seconds acknowledges', async (t) => {
  const { atFirstRetry } = await againWhenAnsweredAfter(t, 9);
  t.holds(atFirstRetry === 0, {
    expected: 'no retry, since the answer came in time',
    actual: 'a retry',
    restsOnTime: true,
  });
});

check('webhook-delivery.timeout-after-10-seconds', 'an answer after 11 seconds is too late', async (t) => {
  const { atFirstRetry, everLater } = await againWhenAnsweredAfter(t, 11);
  t.holds(everLater > 0, { expected: 'a retry', actual: 'none', restsOnTime: true });
  t.holds(atFirstRetry > 0, { expected: 'a retry after 1 minute', actual: 'a later one', restsOnTime: true });
  await retriedAfterLateRetry(t);
});

/** Fails where no attempt follows a first retry that is answered too late. */
async function retriedAfterLateRetry(t: Trial): Promise<void> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, refusing);
  await someEvents(t, caller, verdicts);
  const before = verdicts.events().length;
  const { script, give } = onDemand();
  const started: Arrival[] = [];
  verdicts.inbox.answerBy((arrival, index) => {
    started.push(arrival);
    return script(arrival, index);
  });
  // In steps shorter than the time that an attempt has: at its instant it is to go out before that is over.
  await caller.advance(firstRetry.from);
  for (let at = firstRetry.from; at < firstRetry.to && started.length === 0; at += 4) {
    await caller.advance(4, 'none');
    await until(t, 'verdict', () => started.length > 0, 0.3);
  }
  await caller.advance(11, 'none');
  give();
  if (started.length > 0) await until(t, 'verdict', () => verdicts.events().length > before);
  await caller.advance(0);
  const late = verdicts.events().length;
  await caller.advance(600);
  t.received(...verdicts.events());
  t.holds(started.length === 0 || verdicts.events().length > late, {
    expected: 'a retry after the one that was answered too late',
    actual: 'none',
    restsOnTime: true,
  });
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

check(
  'webhook-delivery.retry-delays',
  'retries of an event come at the instants of the ladder, though another one at its address is further on',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, caller, refusing);
    await someEvents(t, caller, verdicts);
    await caller.advance(600);
    await verify(t, caller);
    for (const seconds of [0, twoMinutes, beyondRetriesSeconds]) await caller.advance(seconds);
    t.received(...verdicts.events());
  },
);

const ofRetries = [
  ['webhook-delivery.five-retries', 'an event that is never acknowledged is retried five times'],
  ['webhook-delivery.event-id-kept-on-retry', 'an event and its retries have one event id'],
  ['webhook-delivery.fresh-timestamp-on-retry', 'an event and its retries have a timestamp each'],
  ['webhook-delivery.body-kept-on-retry', 'an event and its retries have one body'],
] as const;

for (const [clause, title] of ofRetries) {
  check(clause, title, async (t) => void (await eventsBy(t, refusing, beyondRetriesSeconds)));
}

/** Has the profile's rejected document verified, or the valid one while the authority is out of reach. */
const otherVerdicts = {
  REJECTED: verifyRejected,
  VALIDATION_ERROR: async (t, caller) => {
    await t.target.steer(caller, { reachable: false });
    await verify(t, caller);
  },
} as const satisfies Record<string, (t: Trial, caller: ClockedCaller) => Promise<void>>;

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

/** Pushes a dead event again by hand: its deliveries before and after that, and the event id that was asked for. */
async function pushedAgain(t: Trial) {
  const { caller, verdicts } = await eventsBy(t, refusing, beyondRetriesSeconds);
  const before = verdicts.events();
  verdicts.inbox.answerBy(() => ({ status: 200 }));
  const eventId = before[0] ? eventIdOf(t, before[0]) : '';
  await t.target.redeliver(caller, eventId);
  await caller.advance(0);
  const again = verdicts.events().slice(before.length);
  t.received(...again);
  return { again, eventId };
}

check('webhook-delivery.redelivery', 'a dead event that is pushed again by hand arrives', async (t) => {
  const { again, eventId } = await pushedAgain(t);
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
