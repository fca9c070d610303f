import type { NfeOutcome } from '../contract/values.ts';
import { echoCall } from '../generators/calls.ts';
import {
  bodyOfArrival,
  callbacksOf,
  callbacksOfTwoInvoices,
  calledBack,
  calledBackAsEither,
  neededCallback,
} from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { issue, withEmpresa } from './kit/life-cycle.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import type { Trial } from './kit/trial.ts';
import type { Arrival } from '../trace/exchange.ts';
import {
  ownVerdicts,
  settledEvent,
  severalVerdicts,
  someEvents,
  verdictsOn,
  verify,
  verifyRejected,
  verdictsAnHourApart,
} from './kit/verdicts.ts';
import { documentBehind, documentOf } from './kit/verification.ts';

const ofCallbacks = [
  ['webhook-delivery.post-with-json', 'a delivery is a POST with a JSON body'],
  ['webhook-delivery.media-type', 'the Content-Type of a delivery is one of JSON'],
  ['webhook-delivery.event-header', 'an issuance callback has the header X-…-Event'],
  ['webhook-delivery.event-id-header', 'an issuance callback has the header X-…-Event-Id'],
  ['webhook-delivery.delivery-id-header', 'an issuance callback has the header X-…-Delivery-Id'],
  ['webhook-delivery.signature-header', 'an issuance callback has the header X-…-Signature'],
] as const;

for (const [clause, title] of ofCallbacks) {
  check(clause, title, async (t) => calledBackAsEither(t));
}

check(
  'webhook-delivery.timestamp-header',
  'the timestamp of a delivery is the Unix seconds of its attempt',
  async (t) => void (await calledBack(t, 'Autorizada')),
);

/** Documents of both verdicts that a profile can bring about. */
const documents = [
  ['verified-document', 'verificacao.autorizada.xml'],
  ['rejected-document', 'verificacao.rejeitada.xml'],
] as const;

check(
  'webhook-delivery.true-times',
  'times in deliveries of both channels lie between request and arrival',
  async (t) => {
    const issuer = await withEmpresa(t, await t.caller());
    const callbacks = await callbacksOf(t, issuer.caller);
    const isEither = t.target.address.control && t.target.missing('denied-issuance') === undefined;
    const calledBackOf = async (outcome: NfeOutcome): Promise<Arrival> => {
      const { nfeId } = await issue(t, issuer, { outcome });
      return neededCallback(t, issuer, callbacks, { nfeId, outcome });
    };
    if (isEither) await calledBackOf('Negada');
    const authorised = await calledBackOf('Autorizada');
    if (t.target.missing('verification-webhook') !== undefined) return;
    for (const [need, file] of documents)
      if (t.target.missing(need) === undefined) await verdictsOn(t, issuer.caller, documentOf(t, file));
    // When it was authorised is known of an own invoice; its link may lead to where this machine reaches nothing.
    const { document } = await documentBehind(t, bodyOfArrival(authorised));
    await verdictsOn(t, issuer.caller, document);
  },
  { isInTurn: true },
);

const ofVerdicts = [
  ['webhook-delivery.headers-of-verdicts', 'a verdict has the five headers'],
  ['webhook-delivery.no-token-on-verdicts', 'a verdict has no `token` header'],
] as const;

for (const [clause, title] of ofVerdicts) {
  check(clause, title, async (t) => void (await settledEvent(t)));
}

check(
  'webhook-delivery.event-id-of-its-own',
  'the callbacks of two invoices have two event ids',
  callbacksOfTwoInvoices,
);

check(
  'webhook-delivery.event-id-of-its-own',
  'the verdicts of two verifications of one document have two event ids',
  verdictsAnHourApart,
  { needs: ['movable-clock', 'verification-webhook', 'verified-document'] },
);

check(
  'webhook-delivery.at-least-once',
  'an event that was refused comes again though its address was saved with another, and its application disabled, since',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, caller, () => ({ status: 500 }));
    await someEvents(t, caller, verdicts);
    verdicts.inbox.answerBy(() => ({ status: 200 }));
    const other = await t.target.inboxes.open();
    t.announce(other, 'verification', caller);
    const isSaved = await t.target.saveVerificationUrls(caller, [verdicts.inbox.url, other.url]);
    if (!isSaved) throw new NotExercised('the addresses were not saved');
    // Another application may have the address as well.
    const neighbour = await t.target.clockedCaller();
    t.announce(verdicts.inbox, 'verification', neighbour);
    await t.target.saveVerificationUrls(neighbour, [verdicts.inbox.url]);
    t.announce(verdicts.inbox, 'verification', caller);
    await t.send(await t.target.change(caller, { state: 'disabled' }), echoCall('disabled for a moment'));
    await t.target.change(caller, { state: 'active' });
    const before = verdicts.events().length;
    await caller.advance(2 * 60);
    t.received(...verdicts.events());
    t.holds(verdicts.events().length > before, {
      expected: 'a retry after 1 minute',
      actual: 'none came',
      restsOnTime: true,
    });
    const soFar = verdicts.events().length;
    await verify(t, caller);
    await caller.advance(0);
    t.received(...verdicts.events());
    t.holds(verdicts.events().length > soFar, {
      expected: 'an event at the saved address',
      actual: 'none, since the application was disabled for a moment, or another one saved the address',
      restsOnTime: true,
    });
  },
);

check('webhook-delivery.event-id-over-targets', 'two addresses get one event under one event id', fannedOut);

check('webhook-delivery.all-targets', 'each of two addresses gets the event', fannedOut);

/** Has one event sent to two addresses, and one of a rejected document, which the first address refuses: the other need not wait for it. */
async function fannedOut(t: Trial): Promise<void> {
  const isRejectable = t.target.missing('rejected-document') === undefined;
  await t.each(isRejectable ? [verify, verifyRejected] : [verify], async (asked) => {
    const caller = await t.target.clockedCaller();
    const status = asked === verify ? 200 : 503;
    await severalVerdicts(t, caller, [() => ({ status }), () => ({ status: 200 })]);
    await asked(t, caller);
    await caller.advance(0);
  });
}
