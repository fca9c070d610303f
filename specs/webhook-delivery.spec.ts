import { callbacksOf, calledBack, calledBackAsEither, neededCallback } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { issue, issuerOf } from './kit/life-cycle.ts';
import { settledEvent } from './kit/verdicts.ts';

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

const ofVerdicts = [
  ['webhook-delivery.headers-of-verdicts', 'a verdict has the five headers'],
  ['webhook-delivery.no-token-on-verdicts', 'a verdict has no `token` header'],
] as const;

for (const [clause, title] of ofVerdicts) {
  check(clause, title, async (t) => void (await settledEvent(t)));
}

check('webhook-delivery.event-id-of-its-own', 'the callbacks of two invoices have two event ids', async (t) => {
  const issuer = await issuerOf(t);
  const callbacks = await callbacksOf(t, issuer.caller);
  for (let invoice = 0; invoice < 2; invoice++) {
    const { nfeId } = await issue(t, issuer);
    await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
  }
});
