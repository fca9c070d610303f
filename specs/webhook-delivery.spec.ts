import fc from 'fast-check';
import { freshId } from '../generators/nfe-ids.ts';
import type { Script } from '../client/receiver-answer.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import type { DeliveryHeader } from '../client/verify-delivery.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { ClockedCaller } from '../targets/target.ts';
import {
  allAttempts,
  attemptTimes,
  beyondRetriesSeconds,
  isOnLadder,
  ladderText,
  retryDelaysSeconds,
} from './kit/attempts.ts';
import {
  bodyOfArrival,
  calledBack,
  callbacksFor,
  callbacksOf,
  headerOfArrival,
  ownCallbacks,
  register,
  until,
} from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { answerText, isSuccess, issue, issuerOf, withEmpresa } from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';
import {
  eventsOfVerification,
  ownVerdicts,
  severalVerdicts,
  verdictsOf,
  verifierOf,
  verify,
  type Verdicts,
} from './kit/verdicts.ts';
import type { OwnInbox } from '../targets/inbox.ts';

const refusing: Script = () => ({ status: 500 });

/** The event id of a delivery, however its header may be missing. */
function eventIdOf(t: Trial, arrival: Arrival): string {
  return headerOfArrival(t, arrival, 'Event-Id') ?? '';
}

check('webhook-delivery.post-with-json', 'a delivery is a POST with a JSON body', async (t) => {
  const { arrival } = await calledBack(t, 'Autorizada');
  const contentType = arrival.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const isJson = /^application\/json\b/i.test(contentType) && bodyOfArrival(arrival) !== undefined;
  t.holds(arrival.method === 'POST' && isJson, {
    expected: 'POST, application/json',
    actual: `${arrival.method}, ${contentType || 'no content type'}`,
  });
});

const headerClauses = [
  ['webhook-delivery.event-header', 'Event'],
  ['webhook-delivery.event-id-header', 'Event-Id'],
  ['webhook-delivery.delivery-id-header', 'Delivery-Id'],
  ['webhook-delivery.signature-header', 'Signature'],
] as const;

/** Fails where one of the five headers is missing or empty. */
function hasHeader(t: Trial, arrival: Arrival, header: DeliveryHeader): void {
  const value = headerOfArrival(t, arrival, header);
  t.holds(value !== undefined && value.trim() !== '', {
    expected: `the header ${t.target.address.webhook.headerPrefix}-${header}`,
    actual: value === undefined ? 'no such header' : 'an empty one',
    hint: 'NFE_WEBHOOK_HEADER_PREFIX sets the brand in the header names',
  });
}

for (const [clause, header] of headerClauses) {
  check(clause, `an issuance callback has the header X-…-${header}`, async (t) => {
    const { arrival } = await calledBack(t, 'Autorizada');
    hasHeader(t, arrival, header);
  });
}

/** How far the clocks of target and suite may lie apart where neither can be moved. */
const clockToleranceSeconds = 120;

check(
  'webhook-delivery.timestamp-header',
  'the timestamp of a delivery is the Unix seconds of its attempt',
  async (t) => {
    const { issuer, arrival } = await calledBack(t, 'Autorizada');
    const timestamp = headerOfArrival(t, arrival, 'Timestamp') ?? '';
    const distance = Math.abs(Number(timestamp) - issuer.caller.now());
    t.holds(/^\d{1,11}$/.test(timestamp) && distance <= clockToleranceSeconds, {
      expected: `about ${issuer.caller.now()}`,
      actual: timestamp === '' ? 'no such header' : timestamp,
    });
  },
);

check('webhook-delivery.headers-of-verdicts', 'a verdict has the five headers', async (t) => {
  const event = await firstVerdict(t);
  for (const header of ['Event', 'Event-Id', 'Delivery-Id', 'Timestamp', 'Signature'] as const) {
    hasHeader(t, event, header);
  }
});

check('webhook-delivery.no-token-on-verdicts', 'a verdict has no `token` header', async (t) => {
  const event = await firstVerdict(t);
  const token = event.headers.find(([name]) => name.toLowerCase() === 'token');
  t.holds(token === undefined, { expected: 'no token header', actual: 'a token header' });
});

/** The event of a verification; throws a NotExercised where none comes. */
async function firstVerdict(t: Trial): Promise<Arrival> {
  const caller = await verifierOf(t);
  const [event] = await eventsOfVerification(t, caller, await verdictsOf(t, caller));
  if (!event) throw new NotExercised('no event came: see verdict-event.sent-when-settled');
  return event;
}

check('webhook-delivery.event-id-of-its-own', 'the callbacks of two invoices have two event ids', async (t) => {
  const issuer = await issuerOf(t);
  const callbacks = await callbacksOf(t, issuer.caller);
  const ids = new Map<string, string>();
  for (const which of ['first', 'second']) {
    const { nfeId } = await issue(t, issuer);
    const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
    const own = arrivals.find(({ rawBody }) => rawBody.includes(JSON.stringify(nfeId)));
    if (!own) throw new NotExercised(`no callback of the ${which} invoice came`);
    ids.set(nfeId, eventIdOf(t, own));
  }
  t.holds(new Set(ids.values()).size === 2, { expected: 'two event ids', actual: [...ids.values()].join(' twice') });
});

/** The events of one verification at an address that answers by the script, before time goes on. */
async function eventsBy(
  t: Trial,
  script: Script,
): Promise<{ caller: ClockedCaller; verdicts: Verdicts<OwnInbox>; first: number }> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, script);
  const events = await eventsOfVerification(t, caller, verdicts);
  if (events.length === 0) throw new NotExercised('no event came: see verdict-event.sent-when-settled');
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
    t.holds(more > 0, { expected: `a retry after the ${status}`, actual: 'none within 2 minutes' });
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
    t.holds(verdicts.events().length > first, { expected: `a retry after the ${status}`, actual: 'none' });
  },
  { examples: [301, 302, 303, 307, 308] },
);

check('webhook-delivery.broken-connection-retried', 'a connection that breaks off is tried again', async (t) => {
  const { caller, verdicts, first } = await eventsBy(t, () => 'hang-up');
  await caller.advance(2 * 60);
  t.holds(verdicts.events().length > first, { expected: 'a retry after the hang-up', actual: 'none' });
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
  t.holds(arrivals.length > 0, { expected: 'a retry once the receiver is back', actual: 'none within 2 minutes' });
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

/** How many attempts come in all when the first is answered with 200 after so many seconds of the target's clock. */
async function attemptsWhenAnsweredAfter(t: Trial, seconds: number): Promise<number> {
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
  await until(t, () => hasStarted);
  if (!hasStarted) throw new NotExercised('no event came: see verdict-event.sent-when-settled');
  await caller.advance(seconds, 'none');
  give();
  await until(t, () => verdicts.inbox.deliveries().some(({ ending }) => ending !== undefined));
  await caller.advance(beyondRetriesSeconds);
  const events = verdicts.events();
  t.received(...events);
  return attemptsOf(t, events);
}

/** How often it was tried: an immediate duplicate bears the timestamp of its attempt. */
function attemptsOf(t: Trial, arrivals: readonly Arrival[]): number {
  return new Set(arrivals.map((arrival) => headerOfArrival(t, arrival, 'Timestamp'))).size;
}

check('webhook-delivery.answer-within-10-seconds', 'an answer after 9 seconds acknowledges', async (t) => {
  const attempts = await attemptsWhenAnsweredAfter(t, 9);
  t.holds(attempts === 1, { expected: 'one attempt', actual: `${attempts}` });
});

check('webhook-delivery.timeout-after-10-seconds', 'an answer after 11 seconds is too late', async (t) => {
  const attempts = await attemptsWhenAnsweredAfter(t, 11);
  t.holds(attempts > 1, { expected: 'a retry', actual: `${attempts} attempt` });
});

check('webhook-delivery.retry-delays', 'retries come at the instants of the ladder', async (t) => {
  const { caller, verdicts } = await eventsBy(t, refusing);
  const times = await attemptTimes(caller, verdicts.events, 10 * 60 * 60);
  t.received(...verdicts.events());
  if (times.length === 0) throw new NotExercised('no retry came: see webhook-delivery.other-status-retried');
  const retries = times.slice(0, retryDelaysSeconds.length);
  t.holds(isOnLadder(retries), { expected: ladderText, actual: `retries after ${retries.join(', ')} s` });
});

check('webhook-delivery.five-retries', 'an event that is never acknowledged is retried five times', async (t) => {
  const { caller, verdicts, first } = await eventsBy(t, refusing);
  const all = await allAttempts(t, caller, verdicts.events);
  const instants = attemptsOf(t, all.slice(first));
  // Without fresh timestamps every arrival counts.
  const retries = instants <= 1 ? all.length - first : instants;
  t.holds(retries === retryDelaysSeconds.length, { expected: '5 retries', actual: `${retries}` });
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
  t.holds(isSame, { expected: 'the same event once more', actual: `${again.length} deliveries, none of it` });
});

check('webhook-delivery.retries-stop-when-acknowledged', 'after an acknowledged retry none follows', async (t) => {
  let attempts = 0;
  const { caller, verdicts, first } = await eventsBy(t, () => ({ status: attempts++ === 0 ? 500 : 200 }));
  await caller.advance(2 * 60);
  const second = verdicts.events().length;
  if (second === first) throw new NotExercised('no retry came: see webhook-delivery.other-status-retried');
  const all = await allAttempts(t, caller, verdicts.events);
  t.holds(all.length === second, {
    expected: 'no attempt after the acknowledgement',
    actual: `${all.length - second} more`,
  });
});

/** What an event and its retries were like. */
async function retried(t: Trial): Promise<readonly Arrival[]> {
  const { caller, verdicts } = await eventsBy(t, refusing);
  const all = await allAttempts(t, caller, verdicts.events);
  if (all.length < 2) throw new NotExercised('no retry came: see webhook-delivery.other-status-retried');
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
  if (all.length === first) throw new NotExercised('no retry came: see webhook-delivery.other-status-retried');
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
    { expected: 'an event at each address', actual: `${counts.join(' and ')} events` },
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
  if (events.flat().length === 0) throw new NotExercised('no event came: see verdict-event.sent-when-settled');
  return events;
}

check('webhook-delivery.at-least-once', 'every event arrives, though each is refused at first', async (t) => {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const acknowledged = new Set<string>();
  const refusedOnce = new Set<string>();
  const callbacks = await ownCallbacks(t, caller, (arrival) => {
    const nfeId = idOf(arrival);
    if (refusedOnce.has(nfeId)) {
      acknowledged.add(nfeId);
      return { status: 204 };
    }
    refusedOnce.add(nfeId);
    return refusedOnce.size % 2 === 0 ? 'hang-up' : { status: 503 };
  });
  const sent: string[] = [];
  for (let round = 0; round < 4; round++) {
    const { nfeId } = await issue(t, issuer);
    sent.push(nfeId);
    await callbacksFor(t, issuer, callbacks, nfeId);
    await caller.advance(beyondRetriesSeconds);
  }
  t.received(...callbacks.inbox.arrivals());
  const lost = sent.filter((nfeId) => !acknowledged.has(nfeId));
  t.holds(lost.length === 0, {
    expected: 'all 4 events, again after they were refused',
    actual: `${lost.length} lost`,
  });
});

function idOf(arrival: Arrival): string {
  return /"nfeId"\s*:\s*"([^"]*)"/.exec(arrival.rawBody.toString('utf8'))?.[1] ?? '';
}

check('webhook-delivery.issuance-retried', 'a callback that failed is retried on the ladder', async (t) => {
  const times = t.target.address.control ? await retriesByClock(t) : await retriesInRealTime(t);
  t.holds(times.length > 0, { expected: 'a retry', actual: 'none' });
  t.holds(isOnLadder(times.slice(0, retryDelaysSeconds.length)) && times.length <= retryDelaysSeconds.length, {
    expected: ladderText,
    actual: `retries after ${times.join(', ')} s`,
  });
});

/** The retries of a callback that is never acknowledged, in seconds after its first attempt. */
async function retriesByClock(t: Trial): Promise<readonly number[]> {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const callbacks = await ownCallbacks(t, caller, refusing);
  const { nfeId } = await issue(t, issuer);
  const first = await callbacksFor(t, issuer, callbacks, nfeId);
  if (first.length === 0) throw new NotExercised('no callback came');
  const times = await attemptTimes(caller, () => callbacks.inbox.arrivals(), 10 * 60 * 60);
  t.received(...callbacks.inbox.arrivals());
  return times;
}

/** The first two retries of a callback that is refused twice, as they really come: this takes more than six minutes. */
async function retriesInRealTime(t: Trial): Promise<readonly number[]> {
  const inbox = t.target.inboxes.shared('issuance');
  const refusal = t.target.address.webhook.shared?.refusal;
  if (!inbox || refusal !== undefined) throw new NotExercised(refusal ?? 'no address was registered in this run');
  const issuer = await withEmpresa(t, await t.caller());
  const nfeId = freshId();
  await inbox.refuse(JSON.stringify(nfeId), 2);
  await issue(t, issuer, 'nf-e.autorizada.json', nfeId);
  const [first] = await callbacksFor(t, issuer, { inbox, token: inbox.token }, nfeId);
  if (!first) throw new NotExercised('no callback came');
  const ofInvoice = (): readonly Arrival[] =>
    inbox.arrivals().filter(({ rawBody }) => rawBody.includes(JSON.stringify(nfeId)));
  const waitSeconds = (retryDelaysSeconds[0] + retryDelaysSeconds[1]) * 1.1 + 10;
  await until(t, () => ofInvoice().length > 2, waitSeconds);
  t.received(...ofInvoice());
  return ofInvoice()
    .slice(1)
    .map(({ arrivedAtMs }) => Math.round((arrivedAtMs - first.arrivedAtMs) / 1000));
}

/** Most callbacks that are failed until the breaker is to be open. */
const mostFailures = 30;

/** Fails one callback after the other until one brings no attempt; the number of failed ones, or `undefined`. */
async function openBreaker(
  t: Trial,
  caller: ClockedCaller,
): Promise<{
  issuer: Awaited<ReturnType<typeof withEmpresa>>;
  callbacks: Awaited<ReturnType<typeof ownCallbacks>>;
  isOpen: boolean;
}> {
  const issuer = await withEmpresa(t, caller);
  const callbacks = await ownCallbacks(t, caller, refusing);
  for (let failed = 0; failed < mostFailures; failed++) {
    const before = callbacks.inbox.arrivals().length;
    const { nfeId } = await issue(t, issuer);
    const all = await callbacksFor(t, issuer, callbacks, nfeId);
    if (failed === 0 && all.length === 0) throw new NotExercised('no callback came');
    if (all.length === before) return { issuer, callbacks, isOpen: true };
    await caller.advance(61);
  }
  return { issuer, callbacks, isOpen: false };
}

check('webhook-delivery.breaker-opens', 'callbacks that keep failing are stopped', async (t) => {
  const { isOpen } = await openBreaker(t, await t.target.clockedCaller());
  t.holds(isOpen, {
    expected: `no attempt any more after at most ${mostFailures} failed callbacks`,
    actual: 'an attempt for each of them',
  });
});

check('webhook-delivery.breaker-closes', 'registering the address again restores delivery', async (t) => {
  const caller = await t.target.clockedCaller();
  const { issuer, callbacks, isOpen } = await openBreaker(t, caller);
  if (!isOpen) throw new NotExercised('the breaker did not open: see webhook-delivery.breaker-opens');
  callbacks.inbox.answerBy(() => ({ status: 200 }));
  const exchange = await register(t, caller, callbacks.inbox.url, callbacks.token);
  if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered: ${answerText(exchange)}`);
  const { nfeId } = await issue(t, issuer);
  const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
  const isBack = arrivals.some((arrival) => idOf(arrival) === nfeId);
  t.holds(isBack, { expected: 'the callback of the next invoice', actual: 'none' });
});
