import type { ClauseId } from '../contract/catalogue.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import { deliverySignature } from '../client/verify-delivery.ts';
import type { Caller } from '../targets/target.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { calledBackOnce, callbacksFor, headerOfArrival, ownCallbacks } from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { issue, withEmpresa } from './kit/life-cycle.ts';
import { signatureFault, type SignatureFault } from '../trace/delivery-signature.ts';
import { storedDeliveries } from './kit/stored.ts';
import type { Trial } from './kit/trial.ts';
import { eventsOfVerification, ownVerdicts, verdictsOf, verifierOf } from './kit/verdicts.ts';

/** What is wrong with the signature of a delivery to that caller. */
function faultOf(t: Trial, { appSecret, appKey }: Caller, arrival: Arrival, token: string): SignatureFault | undefined {
  const { headerPrefix } = t.target.address.webhook;
  const otherKeys = { 'the verification token': token, ...(appKey === undefined ? {} : { 'the App Key': appKey }) };
  return signatureFault(arrival, { appSecret, headerPrefix, otherKeys });
}

/** Which part of a signature each of these is about: a fault of another part is another clause's. */
const parts = [
  ['webhook-signature.key', 'a delivery is signed with the App Secret, and with nothing else'],
  ['webhook-signature.hmac-of-timestamp-and-body', 'a delivery is signed over timestamp, dot and raw body'],
  ['webhook-signature.lowercase-hex', 'the signature of a delivery is lowercase hex'],
] as const satisfies readonly (readonly [ClauseId, string])[];

for (const [clause, title] of parts) {
  check(clause, title, async (t) => {
    await t.each(['Autorizada', 'Negada'] as const, async (outcome) => {
      if (outcome === 'Negada' && t.target.missing('denied-issuance') !== undefined) return;
      const { issuer, callbacks, arrival } = await calledBackOnce(t, outcome);
      const fault = faultOf(t, issuer.caller, arrival, callbacks.token);
      t.holds(fault?.clause !== clause, {
        expected: deliverySignature(
          issuer.caller.appSecret,
          headerOfArrival(t, arrival, 'Timestamp') ?? '',
          arrival.rawBody,
        ),
        actual: fault?.actual ?? '',
        ...(fault?.hint === undefined ? {} : { hint: fault.hint }),
      });
    });
  });
}

check('webhook-signature.every-delivery', 'the deliveries of both channels are signed', async (t) => {
  const { issuer, callbacks, arrival } = await calledBackOnce(t, 'Autorizada');
  const signed = [{ caller: issuer.caller, arrival }];
  if (t.target.missing('verification-webhook') === undefined && t.target.missing('verified-document') === undefined) {
    const caller = await verifierOf(t);
    const [event] = await eventsOfVerification(t, caller, await verdictsOf(t, caller));
    if (event) signed.push({ caller, arrival: event });
  }
  await t.each(signed, (each) => {
    const fault = faultOf(t, each.caller, each.arrival, callbacks.token);
    t.holds(fault === undefined, {
      expected: 'the HMAC-SHA256 of timestamp, dot and raw body, by the App Secret, in lowercase hex',
      actual: fault?.actual ?? '',
      ...(fault?.hint === undefined ? {} : { hint: fault.hint }),
    });
  });
});

check('webhook-signature.fresh-on-retry', 'the retry of a delivery is signed with its own timestamp', async (t) => {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, () => ({ status: 500 }));
  await eventsOfVerification(t, caller, verdicts);
  await caller.advance(60 * 60);
  const attempts = verdicts.events();
  t.received(...attempts);
  if (attempts.length < 2) throw new NotExercised('no retry came: see webhook-delivery.other-status-retried');
  const [wrongFirst, ...wrong] = attempts.map((attempt) => faultOf(t, caller, attempt, ''));
  if (wrongFirst) throw new NotExercised('the first attempt is not signed right: see webhook-signature.every-delivery');
  await t.each(wrong, (fault) => {
    t.holds(fault === undefined, {
      expected: 'each attempt signed over its own timestamp',
      actual: fault?.actual ?? '',
      hint: 'the signature of the first attempt is sent again',
    });
  });
});

check(
  'webhook-signature.new-secret-after-rotation',
  'an event after a rotation is signed with the new secret',
  async (t) => {
    const before = await t.target.clockedCaller();
    const issuer = await withEmpresa(t, before);
    const callbacks = await ownCallbacks(t, before);
    const caller = { ...before, ...(await t.target.rotate(before)) };
    const { nfeId } = await issue(t, { ...issuer, caller });
    const [arrival] = await callbacksFor(t, { ...issuer, caller }, callbacks, nfeId);
    if (!arrival) throw new NotExercised('no callback came');
    isSignedAnew(t, caller, before, arrival);
  },
);

check(
  'webhook-signature.new-secret-on-retries',
  'a retry after a rotation is signed with the new secret',
  async (t) => {
    const before = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, before, () => ({ status: 500 }));
    await eventsOfVerification(t, before, verdicts);
    const first = verdicts.events().length;
    const caller = await t.target.rotate(before);
    await before.advance(2 * 60);
    const retry = verdicts.events().slice(first).at(-1);
    if (!retry) throw new NotExercised('no retry came: see webhook-delivery.other-status-retried');
    isSignedAnew(t, caller, before, retry);
  },
);

/** Fails where the old secret signed. */
function isSignedAnew(t: Trial, caller: Caller, before: Caller, arrival: Arrival): void {
  const { headerPrefix } = t.target.address.webhook;
  const otherKeys = { 'the secret from before the rotation': before.appSecret };
  const fault = signatureFault(arrival, { appSecret: caller.appSecret, headerPrefix, otherKeys });
  t.holds(fault?.clause !== 'webhook-signature.key', {
    expected: 'a signature with the new secret',
    actual: fault?.actual ?? '',
    ...(fault?.hint === undefined ? {} : { hint: fault.hint }),
  });
}

check(
  'webhook-signature.fresh-on-retry',
  'every attempt that a receiver stored is signed with its own timestamp',
  async (t) => {
    const { active: appSecret } = t.target.address.credentials;
    if (appSecret === undefined)
      throw new NotExercised('needs the secret that signed them: set NFE_APP_SECRET', 'settings');
    const { headerPrefix } = t.target.address.webhook;
    await t.each(storedDeliveries(t), (delivery) => {
      const fault = signatureFault(delivery, { appSecret, headerPrefix, otherKeys: {} });
      t.holds(fault === undefined, {
        expected: 'the HMAC-SHA256 of its own timestamp, a dot and its bytes',
        actual: fault?.actual ?? '',
        ...(fault?.hint === undefined ? {} : { hint: fault.hint }),
      });
    });
  },
  { isOtherWay: true },
);
