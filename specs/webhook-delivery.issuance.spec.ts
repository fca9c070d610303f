import { summary } from './kit/reply.ts';
import fc from 'fast-check';
import type { ClauseId } from '../contract/catalogue.ts';
import { jsonOf, mentions, type Arrival } from '../trace/exchange.ts';
import { nfeOutcomes } from '../contract/values.ts';
import { freshId } from '../generators/nfe-ids.ts';
import type { Answer, Script } from '../targets/receiver/address.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { Caller, ClockedCaller } from '../targets/applications.ts';
import { member } from '../schemas/values.ts';
import { isOnLadder, ladderText } from '../judge/course.ts';
import { beyondRetriesSeconds, retryDelaysSeconds, watchLadder } from './kit/attempts.ts';
import {
  callbacksFor,
  callbacksOf,
  headerOfArrival,
  neededCallback,
  newToken,
  ownCallbacks,
  register,
  until,
  type Callbacks,
  type OwnCallbacks,
} from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { cancel, disabledForAMoment, isSuccess, issue, issuerOf, withEmpresa, type Issuer } from './kit/life-cycle.ts';
import { answered, driveCallback, drivenProperty, failure } from './kit/driven-callbacks.ts';
import { lacking } from './kit/missing.ts';
import type { Trial } from './kit/trial.ts';
import { newEvent, ownVerdicts, someEvents, verify, whereGiven } from './kit/verdicts.ts';

/** More failures, each with what is taken after it, than services count before they stop: only those in a row may be counted. */
const refusedEvents = 13;

/** Verdicts that fail six times each: together more often than services count before they stop callbacks, which are none of them. */
const refusedVerdicts = 5;

const refusing: Script = () => ({ status: 500 });

check('webhook-delivery.at-least-once', 'every event arrives, though each is refused at first', async (t) => {
  let caller = await t.target.clockedCaller();
  const { empresaId } = await withEmpresa(t, caller);
  const acknowledged = new Set<string>();
  const refusals = new Map<string, 404 | 503>();
  const callbacks = await ownCallbacks(t, caller, (arrival) => {
    const nfeId = idOf(arrival);
    if (refusals.has(nfeId)) {
      acknowledged.add(nfeId);
      return { status: 204 };
    }
    const status = refusals.size % 2 === 0 ? 503 : 404;
    refusals.set(nfeId, status);
    return { status };
  });
  const sent: string[] = [];
  for (let round = 0; round < refusedEvents; round++) {
    const issuer = { caller, empresaId };
    const { nfeId } = await issue(t, issuer);
    sent.push(nfeId);
    await callbacksFor(t, issuer, callbacks, nfeId);
    // What is told of an authorisation is told though the invoice is cancelled since, the address registered
    // again, the application disabled for a moment, or the secret new.
    if (round % 5 === 1) await cancel(t, issuer, nfeId);
    // At first: whatever was counted by then is forgotten.
    if (round === 0) await register(t, caller, callbacks.inbox.url, callbacks.token);
    if (round === 2) await rested(t, caller);
    if (round === 3) caller = await renewed(t, caller);
    await caller.advance(beyondRetriesSeconds);
  }
  t.received(...callbacks.inbox.arrivals());
  const lost = sent.filter((nfeId) => !acknowledged.has(nfeId));
  const one = ([404, 503] as const).find((status) =>
    sent.every((nfeId) => acknowledged.has(nfeId) === (refusals.get(nfeId) !== status)),
  );
  t.holds(lost.length === 0, {
    expected: 'every event, again after it was refused',
    actual: one === undefined ? `${lost.length} lost` : `${lost.length} lost, each after the answer ${one}`,
    restsOnTime: true,
  });
});

/**
 * Disables the application for a moment, and saves an address of its other channel, where whatever comes is refused: neither concerns
 * what is under way.
 */
async function rested(t: Trial, caller: ClockedCaller): Promise<void> {
  await disabledForAMoment(t, caller);
  if (t.target.missing('verification-webhook') !== undefined) return;
  await ownVerdicts(t, caller, refusing);
  if (t.target.missing('verified-document') !== undefined) return;
  for (let refused = 0; refused < refusedVerdicts; refused++) await verify(t, caller);
}

/** The caller with a new secret. */
async function renewed(t: Trial, caller: ClockedCaller): Promise<ClockedCaller> {
  return { ...caller, ...(await t.target.rotate(caller)) };
}

function idOf(arrival: Arrival): string {
  return String(member(jsonOf(arrival), 'nfeId'));
}

check(
  'webhook-delivery.issuance-retried',
  'a callback that failed is retried on the ladder',
  async (t) => {
    if (t.target.address.control) return retriesByClock(t);
    const times = await retriesInRealTime(t);
    const spans = [0, ...times].map((seconds) => ({ from: seconds, to: seconds }));
    t.holds(times.length > 0 && isOnLadder(spans), {
      expected: ladderText,
      restsOnTime: true,
      actual: times.length === 0 ? 'no retry' : `retries after ${times.join(', ')} s`,
    });
  },
  { waitSeconds: retryDelaysSeconds[0] + retryDelaysSeconds[1] },
);

const followed = 'followed-from=';

/** What a first attempt gets, at that address. */
const failures = {
  'webhook-delivery.other-status-retried': () => [304, 400, 404, 410, 429, 503].map((status) => ({ status })),
  'webhook-delivery.redirect-not-followed': (url) =>
    [302, 307].map((status) => ({ status, headers: [['location', `${url}?${followed}${status}`]] })),
  'webhook-delivery.broken-connection-retried': () => ['hang-up'],
} satisfies Partial<Record<ClauseId, (url: string) => readonly Answer[]>>;

for (const [clause, title] of [
  ['webhook-delivery.other-status-retried', 'a callback that gets any other status comes again'],
  ['webhook-delivery.redirect-not-followed', 'a callback that is redirected comes again'],
  ['webhook-delivery.broken-connection-retried', 'a callback whose connection breaks off comes again'],
] as const) {
  check(clause, title, (t) => comeAgain(t, failures[clause]), { waitSeconds: retryDelaysSeconds[0], isInTurn: true });
}

/** Fails the first attempt of a callback in each of these ways, and sees each of them again by its first retry. */
async function comeAgain(t: Trial, answersAt: (url: string) => readonly Answer[]): Promise<void> {
  const issuer = await issuerOf(t);
  const { callbacks, failFirst } = await failingCallbacks(t, issuer.caller);
  const called = async (nfeId: string): Promise<void> => {
    await issue(t, issuer, { nfeId });
    await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
  };
  const failed: { readonly nfeId: string; readonly answer: Answer }[] = [];
  for (const answer of answersAt(callbacks.inbox.url)) {
    const nfeId = freshId();
    failed.push({ nfeId, answer });
    await failFirst(nfeId, answer);
    await called(nfeId);
    // Failures in a row stop delivery: between any two of them is one that is acknowledged.
    await called(freshId());
  }
  const isFollowed = ({ target }: Arrival): boolean => target.includes(followed);
  const attemptsOf = (nfeId: string): number =>
    callbacks.inbox.arrivals().filter((arrival) => idOf(arrival) === nfeId && !isFollowed(arrival)).length;
  const waitSeconds = retryDelaysSeconds[0] * 1.1 + 10;
  const haveAllCome = (): boolean => failed.every(({ nfeId }) => attemptsOf(nfeId) > 1);
  if ('advance' in issuer.caller) {
    await issuer.caller.advance(waitSeconds);
    // One that comes late comes all the same: when it is due is judged of every delivery.
    if (!haveAllCome()) await issuer.caller.advance(retryDelaysSeconds[1]);
  } else await until(t, 'delivery', haveAllCome, waitSeconds);
  await t.each(failed, ({ nfeId, answer }) => {
    const actual = `none after ${typeof answer === 'string' ? answer : answer.status}`;
    t.holds(attemptsOf(nfeId) > 1, { expected: 'a retry after 1 minute', actual, restsOnTime: true });
  });
  const isAnyFollowed = callbacks.inbox.arrivals().some(isFollowed);
  t.holds(!isAnyFollowed, { expected: 'no request to the Location', actual: 'one came there' });
}

/** The callbacks of an application, the first attempt of some to be failed: at an address of this check, or at the one of the run. */
async function failingCallbacks(
  t: Trial,
  caller: Caller,
): Promise<{ callbacks: Callbacks; failFirst: (nfeId: string, answer: Answer) => Promise<void> | void }> {
  if (!t.target.address.control) {
    const callbacks = await callbacksOf(t, caller);
    const shared = t.target.inboxes.shared('issuance');
    return { callbacks, failFirst: (nfeId, answer) => shared?.refuse(JSON.stringify(nfeId), 1, answer) };
  }
  const answers = new Map<string, Answer>();
  const callbacks = await ownCallbacks(t, caller, (arrival) => {
    const answer = answers.get(idOf(arrival)) ?? { status: 200 };
    answers.delete(idOf(arrival));
    return answer;
  });
  return { callbacks, failFirst: (nfeId, answer) => void answers.set(nfeId, answer) };
}

/** Gathers the retries of a callback that is never acknowledged. */
async function retriesByClock(t: Trial): Promise<void> {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const callbacks = await ownCallbacks(t, caller, refusing);
  const { nfeId } = await issue(t, issuer);
  const first = await callbacksFor(t, issuer, callbacks, nfeId);
  if (first.length === 0) throw lacking(t, 'a callback');
  await watchLadder(t, 'issuance', caller, () => callbacks.inbox.arrivals());
}

/** The first two retries of a callback that is refused twice, as they really come: this takes more than six minutes. */
async function retriesInRealTime(t: Trial): Promise<readonly number[]> {
  const inbox = t.target.inboxes.shared('issuance');
  const refusal = t.target.address.webhook.shared?.refusal;
  if (!inbox || refusal !== undefined) throw new NotExercised(refusal ?? 'no address was registered in this run');
  const issuer = await withEmpresa(t, await t.caller());
  const nfeId = freshId();
  await inbox.refuse(JSON.stringify(nfeId), 2);
  await issue(t, issuer, { nfeId });
  const callbacks = { inbox, token: inbox.token };
  const first = await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
  const ofInvoice = (): readonly Arrival[] =>
    inbox.arrivals().filter((arrival) => mentions(arrival, JSON.stringify(nfeId)));
  const waitSeconds = (retryDelaysSeconds[0] + retryDelaysSeconds[1]) * 1.1 + 10;
  await until(t, 'delivery', () => ofInvoice().length > 2, waitSeconds);
  t.received(...ofInvoice());
  const retriesSeconds = ofInvoice()
    .slice(1)
    .map(({ arrivedAtMs }) => Math.round((arrivedAtMs - first.arrivedAtMs) / 1000));
  const watchedSeconds = retriesSeconds[1] ?? Math.round(waitSeconds);
  t.ladder({ channel: 'issuance', source: 'real-time', retriesSeconds, watchedSeconds });
  return retriesSeconds;
}

property(
  'webhook-delivery.issuance-retried',
  'a callback that fails in any way is retried, until it is acknowledged',
  fc.tuple(answered(failure(3)), answered(failure(4)), answered(failure(5))),
  async (t, each) => t.each(each, async (one) => void (await driveCallback(t, one))),
  { needs: ['movable-clock'], most: 8, mostPolitely: 1 },
);

for (const [clause, title] of [
  ['webhook-delivery.event-id-kept-on-retry', 'a callback and its retry have one event id'],
  ['webhook-delivery.fresh-timestamp-on-retry', 'a callback and its retry have a timestamp each'],
  ['webhook-delivery.body-kept-on-retry', 'a callback and its retry have one body'],
] as const) {
  drivenProperty(clause, title);
}

check(
  'webhook-delivery.event-id-over-targets',
  'two addresses get one callback under one event id',
  async (t) => {
    const issuer = await withEmpresa(t, await t.target.clockedCaller());
    const [one] = [await ownCallbacks(t, issuer.caller), await ownCallbacks(t, issuer.caller)];
    await t.each(nfeOutcomes, async (outcome) => {
      const { nfeId } = await issue(t, issuer, { outcome });
      await callbacksFor(t, issuer, one, nfeId);
    });
  },
  { needs: ['callbacks', 'empresa', 'authorised-issuance', 'denied-issuance'] },
);

/** Most callbacks that are failed until the breaker is to be open. */
const mostFailures = 30;

/** Fails one callback after the other until one brings no attempt at any of these addresses; whether that came. */
async function isStopped(
  t: Trial,
  caller: ClockedCaller,
  issuer: Issuer,
  callbacks: readonly OwnCallbacks[],
): Promise<boolean> {
  const arrived = (): number => callbacks.reduce((count, { inbox }) => count + inbox.arrivals().length, 0);
  for (let failed = 0; failed < mostFailures; failed++) {
    const before = arrived();
    const { nfeId } = await issue(t, issuer);
    for (const each of callbacks) await callbacksFor(t, issuer, each, nfeId);
    if (failed === 0 && arrived() === 0) throw lacking(t, 'a callback');
    if (arrived() === before) return true;
    await caller.advance(61);
  }
  return false;
}

const neverOpened = 'an attempt for each of them';

/**
 * Fails unless another application, which let none of its callbacks fail, gets them. It registers its address only now: that restores
 * delivery even where addresses of one host share a breaker, which is nobody's fault.
 */
async function isCalledBackElsewhere(t: Trial): Promise<void> {
  const issuer = await withEmpresa(t, await t.target.clockedCaller());
  const callbacks = await ownCallbacks(t, issuer.caller);
  const { nfeId } = await issue(t, issuer);
  const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
  t.holds(arrivals.length > 0, {
    expected: 'the callback of another application, none of whose callbacks failed',
    actual: 'none while those of the first one are stopped',
    restsOnTime: true,
  });
}

/** A verdict that waits for a retry, and the address that refused it. */
async function refusedVerdict(t: Trial, caller: ClockedCaller) {
  const verdicts = await ownVerdicts(t, caller, refusing);
  const [waiting] = await someEvents(t, caller, verdicts);
  return { verdicts, waiting };
}

check('webhook-delivery.breaker-opens', 'callbacks that keep failing are stopped', async (t) => {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  const isVerifier = (t.target.missing('verification-webhook') ?? t.target.missing('verified-document')) === undefined;
  // It waits for a retry while the breaker opens.
  const earlier = isVerifier ? await whereGiven(refusedVerdict(t, caller)) : undefined;
  // Any status but 2xx is a failure; that of one who has moved away, too.
  const status = 404;
  const isOpen = await isStopped(t, caller, issuer, [await ownCallbacks(t, caller, () => ({ status }))]);
  t.holds(isOpen, {
    expected: `no attempt any more after at most ${mostFailures} callbacks that were answered with ${status}`,
    actual: neverOpened,
    restsOnTime: true,
  });
  await isCalledBackElsewhere(t);
  if (!earlier) return;
  const { verdicts, waiting } = earlier;
  const refused = verdicts.events().length;
  verdicts.inbox.answerBy(() => ({ status: 200 }));
  await verify(t, caller);
  await caller.advance(beyondRetriesSeconds);
  const idIn = (arrival: Arrival): string | undefined => headerOfArrival(t, arrival, 'Event-Id');
  const isBack = verdicts.events().some((arrival, at) => at >= refused && idIn(arrival) === idIn(waiting));
  const isNew = newEvent(t, verdicts, refused) !== undefined;
  const one = isBack ? 'only the earlier one' : 'only the later one';
  t.holds(isBack && isNew, {
    expected: 'the events of two verifications, of which one was refused before: that is another channel',
    actual: isBack || isNew ? one : 'none while callbacks are stopped',
    restsOnTime: true,
  });
});

check(
  'webhook-delivery.breaker-closes',
  'registering an address again restores delivery, with the token that it had or another',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const issuer = await withEmpresa(t, caller);
    const callbacks = [await ownCallbacks(t, caller, refusing), await ownCallbacks(t, caller, refusing)];
    const expected = `no attempt any more after at most ${mostFailures} failed callbacks`;
    t.presumes(await isStopped(t, caller, issuer, callbacks), { expected, actual: neverOpened });
    const restored = await registeredAgain(t, caller, issuer, callbacks);
    for (const { inbox } of restored) inbox.answerBy(refusing);
    if (await isStopped(t, caller, issuer, restored)) await registeredAgain(t, caller, issuer, restored);
  },
);

/** Registers stopped addresses again, which then acknowledge, as they are from now on; fails unless callbacks come to each. */
async function registeredAgain(
  t: Trial,
  caller: ClockedCaller,
  issuer: Issuer,
  callbacks: readonly OwnCallbacks[],
): Promise<readonly OwnCallbacks[]> {
  // What is held, and comes in the end, is of the time at which it does.
  await caller.advance(3600);
  const outcomes = t.target.missing('denied-issuance') === undefined ? nfeOutcomes : nfeOutcomes.slice(0, 1);
  const restored: OwnCallbacks[] = [];
  // The last one first: where it took the place of the other, it is the one that was stopped, and comes as it was.
  for (const [nth, { inbox, token: before }] of callbacks.toReversed().entries()) {
    inbox.answerBy(() => ({ status: 200 }));
    const token = nth === 0 ? before : newToken(t);
    t.announce(inbox, 'issuance', caller, token);
    const exchange = await register(t, caller, inbox.url, token);
    t.holds(isSuccess(exchange), { expected: 'registered again: that restores delivery', actual: summary(exchange) });
    const outcome = outcomes[nth % outcomes.length] ?? 'Autorizada';
    const { nfeId } = await issue(t, issuer, { outcome });
    const arrivals = await callbacksFor(t, issuer, { inbox, token }, nfeId);
    const isBack = arrivals.some((arrival) => idOf(arrival) === nfeId);
    t.holds(isBack, {
      expected: outcome === 'Negada' ? 'the callback of a denial, too' : 'the callback of the next invoice',
      actual: 'none',
      restsOnTime: true,
    });
    restored.unshift({ inbox, token });
  }
  return restored;
}
