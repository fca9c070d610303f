import fc from 'fast-check';
import { tellingEnds } from '../generators/webhook-addresses.ts';
import type { Arrival } from '../trace/exchange.ts';
import { acknowledge, type Answer, type Script } from '../targets/receiver/address.ts';
import { member, type JsonValue } from '../schemas/values.ts';
import { fits } from '../schemas/validate.ts';
import { webhookTest } from '../schemas/messages.ts';
import { pathless } from '../targets/inbox.ts';
import { revivedExchange } from '../targets/empresa.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import {
  bodyOfArrival,
  callbacksOf,
  headerOfArrival,
  neededCallback,
  newToken,
  ownCallbacks,
  register,
} from './kit/callbacks.ts';
import { drivenProperty, tellingStatuses } from './kit/driven-callbacks.ts';
import { Deviation } from './kit/deviation.ts';
import { check, property } from './kit/check.ts';
import { isSuccess, issue, issuerOf } from './kit/life-cycle.ts';
import { briefly, summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { ownVerdicts, severalVerdicts, someEvents, verify } from './kit/verdicts.ts';

/** A registration that is accepted: of this check's address, or the one of the run. */
async function registered(t: Trial): Promise<void> {
  const caller = await t.caller();
  const shared = t.target.address.webhook.shared;
  const exchange = t.target.address.control
    ? await register(t, caller, (await t.target.inboxes.open()).url, newToken(t))
    : shared?.registration && revivedExchange(shared.registration);
  if (!exchange) throw new NotExercised(shared?.refusal ?? 'no address was registered in this run');
  if (!t.target.address.control) t.recall(exchange);
  if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered: ${briefly(exchange)}`);
}

check('webhook-url.registration-bare', 'the answer to a registration has no platform envelope', registered);

check('webhook-url.registration-status-200', 'a registration is answered with 200', registered);

/** Fails where nothing comes to an address with a query, which is none of what the check builds on: the plain one was called. */
async function isReached(query: string, deliver: () => Promise<unknown>): Promise<void> {
  try {
    await deliver();
  } catch (error) {
    if (query === '' || !(error instanceof Deviation)) throw error;
    throw new Deviation({
      expected:
        query === pathless
          ? 'a delivery at an address without a path'
          : `a delivery at an address that ends in ${query}`,
      actual: 'none came',
      restsOnTime: true,
    });
  }
}

check('webhook-url.called-exactly', 'the address is called as it was registered, its query included', async (t) => {
  const issuer = await issuerOf(t);
  const isOwn = t.target.address.control !== undefined;
  for (const query of isOwn ? ['', ...tellingEnds, pathless] : ['']) {
    const callbacks = isOwn
      ? await ownCallbacks(t, issuer.caller, undefined, query)
      : await callbacksOf(t, issuer.caller);
    const { nfeId } = await issue(t, issuer);
    await isReached(query, () => neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' }));
  }
});

check(
  'webhook-url.called-exactly',
  'the address for verdicts is called as it was saved, its query included',
  async (t) => {
    const caller = await t.target.clockedCaller();
    await t.each(['', ...tellingEnds], async (query) => {
      const [verdicts] = await severalVerdicts(t, caller, [() => ({ status: 200 })], query);
      if (verdicts) await isReached(query, () => someEvents(t, caller, verdicts));
    });
  },
  { needs: ['movable-clock', 'verification-webhook', 'verified-document'] },
);

check(
  'webhook-url.called-exactly',
  'the address is called that the JSON of its registration says, however it is spelt',
  async (t) => {
    const issuer = await issuerOf(t);
    // An address that was registered before, and is another though only a letter of its query tells them apart.
    const [other, inbox] = await t.target.inboxes.openAlike([acknowledge, acknowledge]);
    const [otherToken, token] = [newToken(t), newToken(t)];
    t.announce(other, 'issuance', issuer.caller, otherToken);
    t.announce(inbox, 'issuance', issuer.caller, token);
    await register(t, issuer.caller, other.url, otherToken);
    const escaped = (json: string): string => json.replaceAll('/', '\\/').replaceAll('&', '\\u0026');
    const exchange = await register(t, issuer.caller, inbox.url, token, escaped);
    t.holds(isSuccess(exchange), {
      expected: 'accepted, as the same JSON without escapes is',
      actual: summary(exchange),
    });
    const { nfeId } = await issue(t, issuer);
    const promised = { nfeId, outcome: 'Autorizada' } as const;
    const which = `${new URL(inbox.url).search}, registered with escapes beside one that differs by a letter's case`;
    await isReached(which, () => neededCallback(t, issuer, { inbox, token }, promised));
    t.received(...other.arrivals());
  },
  { needs: ['chosen-application'] },
);

drivenProperty('webhook-url.called-exactly', 'any query of an address is kept in each attempt');

/** Those first that tell most; `undefined`: there is none. */
const notCallable: readonly (JsonValue | undefined)[] = [
  '/webhooks/nf-e',
  'receiver.example/nf-e',
  '//receiver.example/nf-e',
  // It begins as one does.
  'httpx://receiver.example/nf-e',
  // A URL for all that reads URLs, one that many check for beside http, and one without a host.
  'mailto:nfe@receiver.example',
  'ftp://receiver.example/nf-e',
  'https://',
  // It holds one, and a line of it is one.
  'nf-e\nhttp://receiver.example/nf-e',
  '',
  undefined,
  null,
  17,
  ['https://receiver.example/nf-e'],
  { url: 'https://receiver.example/nf-e' },
  'webhooks/nf-e',
  'file:///etc/hosts',
  'javascript:alert(1)',
  'ws://receiver.example/nf-e',
  'http:',
  ' ',
  'http://receiver example/nf-e',
];

/**
 * The same JSON with tabs, which are signed, and carriage returns, which are not: nothing else that is sent to this endpoint tells who
 * signs them otherwise. Section 5.2.
 */
function withCarriageReturns(json: string): string {
  return JSON.stringify(JSON.parse(json), null, '\t').replaceAll('\n', '\r');
}

property(
  'webhook-url.absolute-http-only',
  'an address that is no absolute http or https URL is refused with 4xx',
  fc.constantFrom<JsonValue | undefined>(...notCallable),
  async (t, uri) => {
    const caller = await t.caller();
    const exchange = await register(t, caller, uri, newToken(t), withCarriageReturns);
    // A target that takes it may have put it in place of the address of the run.
    const { shared } = t.target.address.webhook;
    if (isSuccess(exchange) && shared) await register(t, caller, shared.url, shared.token);
    const status = exchange.response?.status ?? 0;
    t.holds(status >= 400 && status < 500, {
      expected: `4xx for ${JSON.stringify(uri) ?? 'no uri'}`,
      actual: summary(exchange),
    });
  },
  { examples: notCallable, mostPolitely: 10, politeExamples: 8 },
);

const isTest = fits(webhookTest);

/** Saves an address that answers its test by that script; whether it was saved, and what came to it. */
async function saved(t: Trial, script: Script) {
  const caller = await t.target.clockedCaller();
  const inbox = await t.target.inboxes.open(script);
  t.announce(inbox, 'verification', caller);
  const isSaved = await t.target.saveVerificationUrls(caller, [inbox.url]);
  return { caller, inbox, isSaved };
}

check('webhook-url.test-delivery', 'saving an address sends it a test delivery', async (t) => {
  const { inbox } = await saved(t, () => ({ status: 200 }));
  const tests: readonly Arrival[] = inbox.arrivals();
  t.received(...tests);
  const types = tests.map((test) => [member(bodyOfArrival(test), 'event_type'), headerOfArrival(t, test, 'Event')]);
  t.holds(
    tests.some((test) => isTest(bodyOfArrival(test)) && headerOfArrival(t, test, 'Event') === 'webhook.verify'),
    {
      expected: 'a delivery with event_type webhook.verify, in body and header',
      actual: types.length === 0 ? 'no delivery' : JSON.stringify(types),
    },
  );
});

check('webhook-url.test-delivery', 'saving two addresses sends each a test delivery', async (t) => {
  const caller = await t.target.clockedCaller();
  const inboxes = [await t.target.inboxes.open(), await t.target.inboxes.open()];
  for (const inbox of inboxes) t.announce(inbox, 'verification', caller);
  const isSaved = await t.target.saveVerificationUrls(
    caller,
    inboxes.map(({ url }) => url),
  );
  if (!isSaved) throw new NotExercised('the addresses were not saved');
  t.received(...inboxes.flatMap((inbox) => inbox.arrivals()));
  const tested = inboxes.filter((inbox) => inbox.arrivals().some((arrival) => isTest(bodyOfArrival(arrival)))).length;
  t.holds(tested === inboxes.length, { expected: 'a test delivery at each', actual: `one at ${tested} of two` });
});

check('webhook-url.test-delivery', 'an address that is saved once more is tested once more', async (t) => {
  const { caller, inbox, isSaved } = await saved(t, () => ({ status: 200 }));
  if (!isSaved) throw new NotExercised('the address was not saved');
  const before = inbox.arrivals().length;
  await t.target.saveVerificationUrls(caller, [inbox.url]);
  const tests = inbox.arrivals().slice(before);
  t.received(...tests);
  t.holds(
    tests.some((test) => isTest(bodyOfArrival(test))),
    { expected: 'a test delivery each time that it is saved', actual: 'none the second time' },
  );
});

property(
  'webhook-url.saved-when-acknowledged',
  'an address that answers its test with 2xx is saved, and gets events',
  fc.integer({ min: 200, max: 299 }),
  async (t, status) => {
    const { caller, inbox, isSaved } = await saved(t, () => ({ status }));
    t.holds(isSaved, { expected: `saved after ${status}`, actual: 'refused' });
    if (t.target.missing('verified-document') !== undefined) return;
    const before = inbox.arrivals().length;
    await verify(t, caller);
    await caller.advance(0);
    const events = inbox.arrivals().slice(before);
    t.received(...events);
    t.holds(events.length > 0, { expected: 'events at the saved address', actual: 'none' });
  },
  { examples: [200, 201, 204, 202, 206, 299], mostPolitely: 5 },
);

function answering(status: number): Answer {
  return { status };
}

/** What an address may answer to a test that it does not take; those first that tell most. */
const notTaken: readonly Answer[] = [
  ...[302, 404, 500].map(answering),
  'hang-up',
  ...[...tellingStatuses, 405, 409, 415, 422, 501].map(answering),
];

property(
  'webhook-url.not-saved-otherwise',
  'an address that answers its test otherwise is not saved, and gets no events',
  fc.oneof(fc.integer({ min: 300, max: 599 }).map(answering), fc.constant<Answer>('hang-up')),
  async (t, answer) => {
    const { caller, inbox, isSaved } = await saved(t, () => answer);
    t.holds(!isSaved, { expected: `refused after ${JSON.stringify(answer)}`, actual: 'saved' });
    if (t.target.missing('verified-document') !== undefined) return;
    const before = inbox.arrivals().length;
    await verify(t, caller);
    await caller.advance(0);
    const events = inbox.arrivals().length - before;
    t.holds(events === 0, { expected: 'no events at the address', actual: `${events} came` });
  },
  { examples: notTaken, mostPolitely: 5 },
);

check('webhook-url.not-saved-otherwise', 'an address at which nobody listens is not saved', async (t) => {
  // Of the target's own machine: a name that nobody has leads to a page in some networks.
  const isSaved = await t.target.saveVerificationUrls(await t.target.clockedCaller(), ['http://127.0.0.1:1/events']);
  t.holds(!isSaved, { expected: 'refused, since nobody is there', actual: 'saved' });
});

check(
  'webhook-url.not-saved-otherwise',
  'the address of before still gets events when another one could not be saved',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, caller);
    const willing = await t.target.inboxes.open();
    const refusing = await t.target.inboxes.open(() => ({ status: 500 }));
    for (const inbox of [willing, refusing]) t.announce(inbox, 'verification', caller);
    const isSaved = await t.target.saveVerificationUrls(caller, [willing.url, refusing.url]);
    t.holds(!isSaved, { expected: 'refused after 500', actual: 'saved' });
    await verify(t, caller);
    await caller.advance(0);
    t.received(...verdicts.events());
    t.holds(verdicts.events().length > 0, { expected: 'an event at the address of before', actual: 'none' });
  },
  { needs: ['verified-document'] },
);
