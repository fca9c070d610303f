import { acknowledge } from '../targets/receiver/address.ts';
import { calledBackAfterRotation, calledBackAsEither } from './kit/callbacks.ts';
import { check, property } from './kit/check.ts';
import { drivenProperty, records, tellRecords } from './kit/driven-callbacks.ts';
import { storedDeliveries } from './kit/attempts.ts';
import { lacking } from './kit/missing.ts';
import { eventsOfBothChannels, ownVerdicts, severalVerdicts, someEvents, verifyRejected } from './kit/verdicts.ts';

const parts = [
  ['webhook-signature.key', 'a delivery is signed with the App Secret, and with nothing else'],
  ['webhook-signature.hmac-of-timestamp-and-body', 'a delivery is signed over timestamp, dot and raw body'],
  ['webhook-signature.lowercase-hex', 'the signature of a delivery is lowercase hex'],
] as const;

for (const [clause, title] of parts) {
  check(clause, title, async (t) => calledBackAsEither(t));
}

check('webhook-signature.every-delivery', 'the deliveries of both channels are signed', eventsOfBothChannels, {
  isInTurn: true,
});

check('webhook-signature.fresh-on-retry', 'the retry of a delivery is signed with its own timestamp', async (t) => {
  const caller = await t.target.clockedCaller();
  await someEvents(t, caller, await ownVerdicts(t, caller, () => ({ status: 500 })));
  await caller.advance(60 * 60);
});

for (const [clause, title] of [
  ['webhook-signature.new-secret-after-rotation', 'an event after a rotation is signed with the new secret'],
  ['webhook-signature.every-delivery', 'deliveries are signed after a rotation, too'],
] as const) {
  check(
    clause,
    title,
    async (t) => {
      if (!(await calledBackAfterRotation(t))) throw lacking(t, 'a callback');
    },
    { needs: ['rotation', 'movable-clock'] },
  );
}

check(
  'webhook-signature.new-secret-after-rotation',
  'a verdict after a rotation comes to the address of before, signed with the new secret',
  async (t) => {
    const before = await t.target.clockedCaller();
    const [verdicts, others] = await severalVerdicts(t, before, [acknowledge, acknowledge]);
    if (!verdicts || !others) throw new Error('no addresses were opened');
    const caller = { ...before, ...(await t.target.rotate(before)) };
    await someEvents(t, caller, verdicts);
    if (t.target.missing('rejected-document') === undefined) {
      await verifyRejected(t, caller);
      await caller.advance(0);
    }
    // The test of an address is a delivery like any other.
    const [tested] = await severalVerdicts(t, caller, [acknowledge]);
    t.received(...verdicts.events(), ...others.events(), ...(tested?.inbox.arrivals() ?? []));
    await caller.advance(0);
  },
  { needs: ['verified-document'] },
);

check(
  'webhook-signature.new-secret-on-retries',
  'a retry after a rotation is signed with the new secret',
  async (t) => {
    const before = await t.target.clockedCaller();
    const verdicts = await ownVerdicts(t, before, () => ({ status: 500 }));
    await someEvents(t, before, verdicts);
    await t.target.rotate(before);
    await before.advance(2 * 60);
  },
);

check(
  'webhook-signature.fresh-on-retry',
  'every attempt that a receiver stored is signed with its own timestamp',
  async (t) => void (await storedDeliveries(t)),
  { isOtherWay: true },
);

property(
  'webhook-signature.hmac-of-timestamp-and-body',
  'the bytes of a verdict in any text are signed',
  records,
  (t, cases) => tellRecords(t, cases, () => undefined),
  { needs: ['movable-clock', 'verification-webhook', 'empresa', 'authorised-issuance'], most: 3 },
);

for (const [clause, title] of [
  ['webhook-signature.fresh-on-retry', 'the retry of a callback is signed with its own timestamp'],
  ['webhook-signature.every-delivery', 'every attempt at a callback is signed'],
  ['webhook-signature.hmac-of-timestamp-and-body', 'the bytes of any text are signed'],
] as const) {
  drivenProperty(clause, title);
}
