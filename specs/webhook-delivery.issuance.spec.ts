import fc from 'fast-check';
import { textOf } from '../client/body-text.ts';
import { nfeOutcomes, type NfeOutcome } from '../contract/states.ts';
import { keptText, queryString } from '../generators/text.ts';
import { member } from '../schemas/member.ts';
import { freshId } from '../generators/nfe-ids.ts';
import type { Answer, Script } from '../client/receiver-answer.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { ClockedCaller } from '../targets/target.ts';
import { isOnLadder, ladderText } from '../judge/ladder.ts';
import { beyondRetriesSeconds, retryDelaysSeconds, watchLadder } from './kit/attempts.ts';
import {
  bodyOfArrival,
  callbacksFor,
  lacking,
  neededCallback,
  ownCallbacks,
  register,
  until,
} from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { answerText, fileEndingAs, isSuccess, issue, sendIssuance, withEmpresa } from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';

const refusing: Script = () => ({ status: 500 });

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
    restsOnTime: true,
  });
});

function idOf(arrival: Arrival): string {
  return /"nfeId"\s*:\s*"([^"]*)"/.exec(textOf(arrival))?.[1] ?? '';
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
  await issue(t, issuer, 'nf-e.autorizada.json', nfeId);
  const callbacks = { inbox, token: inbox.token };
  const first = await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
  const ofInvoice = (): readonly Arrival[] =>
    inbox.arrivals().filter(({ rawBody }) => rawBody.includes(JSON.stringify(nfeId)));
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

/** How the attempts at a callback are answered, and what comes back in them. */
interface Driven {
  readonly outcome: NfeOutcome;
  readonly answer: Answer;
  /** How many attempts are answered so, before one is acknowledged. */
  readonly refusals: number;
  readonly acknowledged: number;
  readonly token: string;
  readonly query: string;
  /** What the tax authority says to a denial, behind its code. */
  readonly words: string;
}

/** Statuses that mean something to those who retry. */
const tellingStatuses = [301, 302, 304, 400, 401, 403, 404, 410, 429, 500, 503];

/** A status of the 300s, 400s or 500s. */
function failure(hundreds: 3 | 4 | 5): fc.Arbitrary<Answer> {
  const telling = tellingStatuses.filter((status) => Math.floor(status / 100) === hundreds);
  const any = fc.integer({ min: 100 * hundreds, max: 100 * hundreds + 99 });
  return fc.oneof(fc.constantFrom(...telling), any).map((status) => ({ status }));
}

const hangUp = fc.constant<Answer>('hang-up');

const answered = (answer: fc.Arbitrary<Answer>): fc.Arbitrary<Driven> =>
  fc.record({
    outcome: fc.constantFrom(...nfeOutcomes),
    answer,
    refusals: fc.integer({ min: 1, max: 5 }),
    acknowledged: fc.integer({ min: 200, max: 299 }),
    token: fc.stringMatching(/^[!-~]{16,64}$/),
    query: queryString().map((query) => `?${query}`),
    words: keptText(200).map((text) => `Uso denegado ${text}`),
  });

const driven = answered(fc.oneof(failure(3), failure(4), failure(5), hangUp));

/** The attempts at a callback, the first of which are refused: on a clock of its own until all retries would have come. */
async function driveCallback(
  t: Trial,
  { outcome, answer, refusals, acknowledged, token, query, words }: Driven,
): Promise<readonly Arrival[]> {
  const caller = await t.target.clockedCaller();
  const issuer = await withEmpresa(t, caller);
  t.target.hide(token, '$WEBHOOK_TOKEN');
  const script: Script = (_, attempt) => (attempt < refusals ? answer : { status: acknowledged });
  const callbacks = await ownCallbacks(t, caller, script, query, token);
  await t.target.steer(caller, {
    issuance: { outcome, ...(outcome === 'Negada' ? { motivo: `302 - ${words}` } : {}) },
  });
  const exchange = await sendIssuance(t, issuer, 'nf-e.autorizada.json');
  if (!isSuccess(exchange)) throw new NotExercised(`the invoice was refused: ${answerText(exchange)}`, 'settings');
  await caller.advance(0);
  if (callbacks.inbox.arrivals().length === 0) throw lacking(t, 'a callback');
  await caller.advance(2 * 60);
  await caller.advance(beyondRetriesSeconds);
  t.received(...callbacks.inbox.arrivals());
  return callbacks.inbox.arrivals();
}

property(
  'webhook-delivery.issuance-retried',
  'a callback that fails in any way is retried, until it is acknowledged',
  fc.tuple(answered(failure(3)), answered(failure(4)), answered(fc.oneof(failure(5), hangUp))),
  async (t, each) => t.each(each, async (one) => void (await driveCallback(t, one))),
  { needs: ['movable-clock'], most: 8 },
);

property(
  'issuance-callback.motivo-of-denial',
  '`nfeMotivoStatus` has the words of the tax authority, in any text',
  driven.map((each) => ({ ...each, outcome: 'Negada' as const })),
  async (t, each) => {
    for (const arrival of await driveCallback(t, each)) {
      const found = member(bodyOfArrival(arrival), 'nfeMotivoStatus');
      t.holds(typeof found === 'string' && found.includes(each.words), {
        expected: JSON.stringify(each.words),
        actual: JSON.stringify(found) ?? 'nothing',
      });
    }
  },
  { needs: ['movable-clock'], most: 10 },
);

/** What holds of every attempt, put to the test on the verification channel elsewhere. */
const ofEveryAttempt = [
  ['webhook-delivery.event-id-kept-on-retry', 'a callback and its retry have one event id'],
  ['webhook-delivery.fresh-timestamp-on-retry', 'a callback and its retry have a timestamp each'],
  ['webhook-delivery.body-kept-on-retry', 'a callback and its retry have one body'],
  ['webhook-signature.fresh-on-retry', 'the retry of a callback is signed with its own timestamp'],
  ['webhook-signature.every-delivery', 'every attempt at a callback is signed'],
  ['webhook-signature.hmac-of-timestamp-and-body', 'the bytes of any text are signed'],
  ['issuance-callback.token', 'any token comes back with each attempt'],
  ['webhook-url.called-exactly', 'any query of an address is kept in each attempt'],
] as const;

for (const [clause, title] of ofEveryAttempt) {
  property(
    clause,
    title,
    fc.record({ Autorizada: driven, Negada: driven }),
    async (t, each) => {
      await t.each(nfeOutcomes, async (outcome) => void (await driveCallback(t, { ...each[outcome], outcome })));
    },
    { needs: ['movable-clock', 'callbacks', 'empresa', 'authorised-issuance'], most: 3 },
  );
}

check(
  'webhook-delivery.event-id-over-targets',
  'two addresses get one callback under one event id',
  async (t) => {
    await t.each(nfeOutcomes, async (outcome) => {
      const issuer = await withEmpresa(t, await t.target.clockedCaller());
      const [one] = [await ownCallbacks(t, issuer.caller), await ownCallbacks(t, issuer.caller)];
      const { nfeId } = await issue(t, issuer, fileEndingAs(outcome));
      await callbacksFor(t, issuer, one, nfeId);
    });
  },
  { needs: ['callbacks', 'empresa', 'authorised-issuance', 'denied-issuance'] },
);

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
    if (failed === 0 && all.length === 0) throw lacking(t, 'a callback');
    if (all.length === before) return { issuer, callbacks, isOpen: true };
    await caller.advance(61);
  }
  return { issuer, callbacks, isOpen: false };
}

const opened = {
  expected: `no attempt any more after at most ${mostFailures} failed callbacks`,
  actual: 'an attempt for each of them',
};

check('webhook-delivery.breaker-opens', 'callbacks that keep failing are stopped', async (t) => {
  const { isOpen } = await openBreaker(t, await t.target.clockedCaller());
  t.holds(isOpen, { ...opened, restsOnTime: true });
});

check('webhook-delivery.breaker-closes', 'registering the address again restores delivery', async (t) => {
  const caller = await t.target.clockedCaller();
  const { issuer, callbacks, isOpen } = await openBreaker(t, caller);
  t.presumes(isOpen, opened);
  callbacks.inbox.answerBy(() => ({ status: 200 }));
  const exchange = await register(t, caller, callbacks.inbox.url, callbacks.token);
  if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered: ${answerText(exchange)}`);
  const { nfeId } = await issue(t, issuer);
  const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
  const isBack = arrivals.some((arrival) => idOf(arrival) === nfeId);
  t.holds(isBack, { expected: 'the callback of the next invoice', actual: 'none', restsOnTime: true });
});
