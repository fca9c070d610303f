import { textOf } from '../client/body-text.ts';
import { freshId } from '../generators/nfe-ids.ts';
import type { Script } from '../client/receiver-answer.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { ClockedCaller } from '../targets/target.ts';
import { isOnLadder, ladderText } from '../judge/ladder.ts';
import { beyondRetriesSeconds, retryDelaysSeconds, watchLadder } from './kit/attempts.ts';
import { callbacksFor, lacking, neededCallback, ownCallbacks, register, until } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { answerText, isSuccess, issue, withEmpresa } from './kit/life-cycle.ts';
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
