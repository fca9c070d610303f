import fc from 'fast-check';
import { nfeOutcomes } from '../contract/values.ts';
import type { OrderedResponse } from '../targets/receiver/address.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { beyondRetriesSeconds, twoMinutes } from './kit/attempts.ts';
import { callbacksFor, ownCallbacks } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { issue, withEmpresa } from './kit/life-cycle.ts';
import {
  againWhenAnsweredAfter,
  againWhenRetryAnsweredAfter,
  callbackChannel,
  stepSeconds,
  verdictChannel,
} from './kit/slow-answers.ts';
import type { Trial } from './kit/trial.ts';
import { noEvent, otherVerdicts, ownVerdicts, severalVerdicts, verify, eventsBy } from './kit/verdicts.ts';

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
    // Those with 200 are seen elsewhere.
    const callbacks = await ownCallbacks(t, caller, (_, index) => ({ status: index % 2 === 0 ? 226 : 202 }));
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

/** Fails where what is answered after 9 seconds comes again: beyond the 5 that clients of HTTP wait for, and well before the end of 10. */
async function answeredInTime(t: Trial, open: typeof verdictChannel): Promise<void> {
  const { atNextRetry } = await againWhenAnsweredAfter(t, open, 9, 6);
  t.holds(atNextRetry === 0, {
    expected: 'no retry, since the answer came in time',
    actual: 'a retry',
    restsOnTime: true,
  });
}

/** Fails where what is answered after 11 seconds does not come again. */
async function answeredTooLate(t: Trial, open: typeof verdictChannel): Promise<void> {
  const { atNextRetry, everLater } = await againWhenAnsweredAfter(t, open, 11);
  t.holds(everLater > 0, { expected: 'a retry after no answer in time', actual: 'none', restsOnTime: true });
  if (atNextRetry > 0) return;
  // Who is late behind every failure, or now and then, breaks the ladder, which is judged of all deliveries.
  const isLateBehindThisAlone = await inEachOfTwo(
    async () =>
      (await againWhenAnsweredAfter(t, open, 11)).atNextRetry === 0 &&
      (await againWhenAnsweredAfter(t, open, 0, 0, 500)).atNextRetry > 0,
  );
  t.holds(!isLateBehindThisAlone, { expected: 'a retry after 1 minute', actual: 'a later one', restsOnTime: true });
}

async function inEachOfTwo(told: () => Promise<boolean>): Promise<boolean> {
  return (await told()) && (await told());
}

/** Each channel may have a sender of its own. */
const ofCallbacks = { needs: ['callbacks', 'empresa', 'authorised-issuance'] } as const;

check('webhook-delivery.answer-within-10-seconds', 'an answer after 9 seconds acknowledges', async (t) => {
  await answeredInTime(t, verdictChannel);
  const again = await againWhenRetryAnsweredAfter(t, 9 - stepSeconds);
  if (!again) return;
  // What comes twice may do so at any time: then it does behind an answer at once, too.
  const isTwice = again.atNextRetry > 0 && ((await againWhenRetryAnsweredAfter(t, stepSeconds))?.atNextRetry ?? 0) > 0;
  t.holds(again.atNextRetry === 0 || isTwice, {
    expected: 'no other retry, since the answer to the first one came in time',
    actual: 'another retry',
    restsOnTime: true,
  });
});

check(
  'webhook-delivery.answer-within-10-seconds',
  'an answer after 9 seconds acknowledges a callback',
  (t) => answeredInTime(t, callbackChannel),
  ofCallbacks,
);

check('webhook-delivery.timeout-after-10-seconds', 'an answer after 11 seconds is too late', async (t) => {
  await answeredTooLate(t, verdictChannel);
  const again = await againWhenRetryAnsweredAfter(t, 11);
  if (!again) return;
  t.holds(again.everLater > 0, {
    expected: 'a retry after the one that was answered too late',
    actual: 'none',
    restsOnTime: true,
  });
  if (again.atNextRetry > 0) return;
  const isOffBehindThisAlone = await inEachOfTwo(
    async () =>
      (await againWhenRetryAnsweredAfter(t, 11))?.atNextRetry === 0 &&
      ((await againWhenRetryAnsweredAfter(t, stepSeconds, 500))?.atNextRetry ?? 0) > 0,
  );
  t.holds(!isOffBehindThisAlone, {
    expected: 'a retry after 5 minutes',
    actual: 'one at another time',
    restsOnTime: true,
  });
});

check(
  'webhook-delivery.timeout-after-10-seconds',
  'an answer to a callback after 11 seconds is too late',
  (t) => answeredTooLate(t, callbackChannel),
  ofCallbacks,
);
