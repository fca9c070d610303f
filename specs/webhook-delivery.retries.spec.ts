import fc from 'fast-check';
import { nfeOutcomes } from '../contract/values.ts';
import type { ClockedCaller } from '../targets/applications.ts';
import type { OwnInbox } from '../targets/inbox.ts';
import type { OrderedResponse, Script } from '../targets/receiver/address.ts';
import type { Arrival } from '../trace/exchange.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { sleepLooking } from '../targets/outage.ts';
import { beyondRetriesSeconds, refusing, twoMinutes } from './kit/attempts.ts';
import { callbacksFor, lacking, ownCallbacks, until } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { issue, withEmpresa } from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';
import { noEvent, otherVerdicts, ownVerdicts, severalVerdicts, someEvents, verify, eventsBy } from './kit/verdicts.ts';

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
      ...[200, 201, 204, 299].map((status) => ({ status })),
      { status: 200, body: 'OK' },
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

check(
  'webhook-delivery.acknowledged-by-any-2xx',
  'a callback of either outcome that was acknowledged does not come again',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const issuer = await withEmpresa(t, caller);
    const callbacks = await ownCallbacks(t, caller);
    await t.each(nfeOutcomes, async (outcome) => {
      const { nfeId } = await issue(t, issuer, { outcome });
      await callbacksFor(t, issuer, callbacks, nfeId);
    });
    await caller.advance(twoMinutes);
    t.received(...callbacks.inbox.arrivals());
  },
  { needs: ['callbacks', 'empresa', 'authorised-issuance', 'denied-issuance'] },
);

check(
  'webhook-delivery.acknowledged-by-any-2xx',
  'an event of another verdict that was acknowledged does not come again',
  async (t) => {
    await t.each(Object.values(otherVerdicts), async (asked) => {
      const caller = await t.target.clockedCaller();
      const { events } = await ownVerdicts(t, caller);
      await asked(t, caller);
      await caller.advance(0);
      if (events().length === 0) throw noEvent(t);
      await caller.advance(twoMinutes);
      t.received(...events());
    });
  },
  { needs: ['rejected-document'] },
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
      expected: 'a retry after no answer, once the receiver is back',
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

/** Where deliveries of one channel come, and what makes one. */
interface Channel {
  readonly inbox: OwnInbox;
  readonly arrivals: () => readonly Arrival[];
  readonly begin: () => Promise<unknown>;
  readonly kind: Parameters<typeof until>[1];
  /** Why nothing can be told where none comes. */
  readonly lacks: () => Error;
}

async function verdictChannel(t: Trial, caller: ClockedCaller): Promise<Channel> {
  const { inbox, events } = await ownVerdicts(t, caller);
  const begin = async (): Promise<unknown> => verify(t, caller);
  return { inbox, arrivals: events, begin, kind: 'verdict', lacks: () => noEvent(t) };
}

async function callbackChannel(t: Trial, caller: ClockedCaller): Promise<Channel> {
  const issuer = await withEmpresa(t, caller);
  const { inbox } = await ownCallbacks(t, caller);
  const begin = async (): Promise<unknown> => issue(t, issuer);
  return { inbox, arrivals: () => inbox.arrivals(), begin, kind: 'delivery', lacks: () => lacking(t, 'a callback') };
}

/**
 * What is delivered behind a first attempt that is answered with 200 after so many seconds of the target's clock, and so many of ours: who
 * sends it, or passes it on, may wait by either.
 */
async function againWhenAnsweredAfter(
  t: Trial,
  open: typeof verdictChannel,
  seconds: number,
  ourSeconds = 0,
): Promise<Again> {
  const caller = await t.target.clockedCaller();
  const { inbox, arrivals, begin, kind, lacks } = await open(t, caller);
  const { script, give } = onDemand();
  let hasStarted = false;
  inbox.answerBy((arrival, index) => {
    hasStarted = true;
    return script(arrival, index);
  });
  await begin();
  await caller.advance(0, 'none');
  await until(t, kind, () => hasStarted);
  if (!hasStarted) throw lacks();
  await caller.advance(seconds, 'none');
  // Nothing is waited for, so that nothing is missed.
  await sleepLooking(ourSeconds * 1000, t.target.look);
  give();
  await until(t, kind, () => inbox.deliveries().some(({ ending }) => ending !== undefined));
  // An event may come twice, at any time; what comes at the instant of a retry is one.
  const counts: number[] = [];
  for (const step of [0, firstRetry.from - seconds, firstRetry.to - firstRetry.from, beyondRetriesSeconds]) {
    await caller.advance(step);
    counts.push(arrivals().length);
  }
  const [atOnce = 0, before = 0, after = 0, all = 0] = counts;
  t.received(...arrivals());
  return { atFirstRetry: after - before, everLater: all - atOnce };
}

/** Fails where what is answered after 9 seconds comes again: beyond the 5 that clients of HTTP wait for, and well before the end of 10. */
async function answeredInTime(t: Trial, open: typeof verdictChannel): Promise<void> {
  const { atFirstRetry } = await againWhenAnsweredAfter(t, open, 9, 6);
  t.holds(atFirstRetry === 0, {
    expected: 'no retry, since the answer came in time',
    actual: 'a retry',
    restsOnTime: true,
  });
}

/** Fails where what is answered after 11 seconds does not come again. */
async function answeredTooLate(t: Trial, open: typeof verdictChannel): Promise<void> {
  const { atFirstRetry, everLater } = await againWhenAnsweredAfter(t, open, 11);
  t.holds(everLater > 0, { expected: 'a retry after no answer in time', actual: 'none', restsOnTime: true });
  t.holds(atFirstRetry > 0, { expected: 'a retry after 1 minute', actual: 'a later one', restsOnTime: true });
}

/** Each channel may have a sender of its own. */
const ofCallbacks = { needs: ['callbacks', 'empresa', 'authorised-issuance'] } as const;

check('webhook-delivery.answer-within-10-seconds', 'an answer after 9 seconds acknowledges', (t) =>
  answeredInTime(t, verdictChannel),
);

check(
  'webhook-delivery.answer-within-10-seconds',
  'an answer after 9 seconds acknowledges a callback',
  (t) => answeredInTime(t, callbackChannel),
  ofCallbacks,
);

check('webhook-delivery.timeout-after-10-seconds', 'an answer after 11 seconds is too late', async (t) => {
  await answeredTooLate(t, verdictChannel);
  await retriedAfterLateRetry(t);
});

check(
  'webhook-delivery.timeout-after-10-seconds',
  'an answer to a callback after 11 seconds is too late',
  (t) => answeredTooLate(t, callbackChannel),
  ofCallbacks,
);

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
