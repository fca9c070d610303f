import { createHmac } from 'node:crypto';
import { expect, test, describe } from 'vitest';
import type { Channel, Outgoing } from '../../simulator/model.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { webhookServices } from '../../simulator/testing/receiver.ts';
import { deliveryRequest } from '../../simulator/webhooks/events.ts';
import { deliveryBreaches } from './deliveries.ts';
import { differences } from './testing/differences.ts';
import { atRate, draws, oneNodeOf, type Moment, type When } from './breach.ts';
import { wireOf } from './wire.ts';

const open = webhookServices();
const result = {
  nfeId: 'a',
  nfeStatus: 'Autorizada',
  nfeNumero: '17',
  nfeChaveAcesso: '1'.repeat(44),
  nfeNumeroProtocolo: '9',
};
const verdicts = ['VALIDATED', 'REJECTED'].map((validationStatus) => ({
  version: '1.0',
  event_id: 'v',
  occurred_at: '2031-05-17T09:30:00.000Z',
  data: { validationStatus, verifiedAt: 'x', chaveAcesso: 'x', protocolo: null, reason: 'x' },
}));

/** The first attempt and a retry a minute later, of two events of each kind. */
function attempts(appKey: string): Outgoing[] {
  const events = [...verdicts.map((body) => ['verification', body] as const), ['issuance', result] as const];
  return events.flatMap(([channel, body], kind) =>
    [1, 2].flatMap((nth) =>
      [0, 60_000].map((late): Outgoing => ({
        appKey,
        channel,
        eventId: `event-${kind}-${nth}`,
        eventType: 'x',
        rawBody: Buffer.from(JSON.stringify(body)),
        createdMs: 1_936_776_600_000,
        url: 'http://127.0.0.1:9/x',
        token: channel === 'issuance' ? 'registered' : null,
        deliveryId: `delivery-${kind}-${nth}-${late}`,
        startedMs: 1_936_776_600_000 + late,
      })),
    ),
  );
}

function parsed(rawBody: Buffer): unknown {
  return JSON.parse(rawBody.toString());
}

const sending = deliveryBreaches.filter(({ kind }) => kind === 'delivery');

test('each breach of a delivery finds one to spoil, changes what it says, nothing else, and signs it as it goes out', () => {
  const changed: Record<string, string> = {};
  for (const breach of sending) {
    const service = open();
    const { appKey } = service.application();
    const [key = ''] = service.state.applications.secretsOf(appKey);
    const wire = wireOf(breach, atRate(100), 1);
    let [wrong, areFirstRight] = [0, true];
    const ways = new Set<string>();
    for (const outgoing of attempts(appKey)) {
      const right = deliveryRequest(outgoing, { ...service, rules: referenceRules });
      const sent = deliveryRequest(outgoing, { ...service, rules: wire.rules });
      const signed = createHmac('sha256', key).update(`${sent.headers['X-Service-Timestamp']}.`).update(sent.rawBody);
      const isSigned = sent.headers['X-Service-Signature'] === signed.digest('hex');
      const places = differences(
        { ...right, rawBody: parsed(right.rawBody) },
        { ...sent, rawBody: parsed(sent.rawBody) },
      );
      if (places.length === 0) continue;
      wrong += 1;
      if (outgoing.startedMs === outgoing.createdMs) areFirstRight = false;
      const named = places.filter((place) => !isSigned || !place.endsWith('Signature'));
      ways.add(named.length > 4 ? 'another body' : named.join(', '));
    }
    expect(wire.sent, breach.id).toHaveLength(wrong);
    changed[breach.id] = [...ways].join(' or ') + (areFirstRight ? ' (retries)' : '');
  }
  expect(changed).toMatchInlineSnapshot(`
    {
      "issuance-callback.chave-short": "rawBody.nfeChaveAcesso",
      "issuance-callback.denied-when-authorised": "rawBody.nfeStatus",
      "issuance-callback.enveloped": "another body",
      "issuance-callback.no-protocolo": "rawBody.nfeNumeroProtocolo",
      "issuance-callback.no-token-on-retry": "headers.token (retries)",
      "issuance-callback.number": "rawBody.nfeNumero",
      "issuance-callback.of-another": "rawBody.nfeId",
      "issuance-callback.other-token": "headers.token",
      "verdict-event.no-chave": "rawBody.data.chaveAcesso",
      "verdict-event.no-reason": "rawBody.data.reason",
      "verdict-event.no-verified-at": "rawBody.data.verifiedAt",
      "verdict-event.other-event-id": "rawBody.event_id",
      "verdict-event.protocolo-number": "rawBody.data.protocolo",
      "verdict-event.reason-when-validated": "rawBody.data.reason",
      "verdict-event.version-number": "rawBody.version",
      "webhook-delivery.as-text": "headers.content-type",
      "webhook-delivery.by-put": "method",
      "webhook-delivery.by-put-on-retry": "method (retries)",
      "webhook-delivery.event-id-new-on-retry": "headers.X-Service-Event-Id (retries)",
      "webhook-delivery.event-id-of-the-one-before": "headers.X-Service-Event-Id",
      "webhook-delivery.no-delivery-id": "headers.X-Service-Delivery-Id",
      "webhook-delivery.no-event-header": "headers.X-Service-Event",
      "webhook-delivery.other-body-on-retry": "rawBody.occurred_at (retries)",
      "webhook-delivery.stale-timestamp-on-retry": "headers.X-Service-Timestamp (retries)",
      "webhook-delivery.timestamp-in-ms": "headers.X-Service-Timestamp",
      "webhook-delivery.token-on-verdicts": "headers.token",
      "webhook-signature.upper-case": "headers.X-Service-Signature",
      "webhook-signature.wrong": "headers.X-Service-Signature",
      "webhook-signature.wrong-on-retry": "headers.X-Service-Signature (retries)",
    }
  `);
});

test.each<Channel>(['issuance', 'verification'])(
  'a lost event of the channel %s goes to nobody, and is counted',
  (channel) => {
    const lost = deliveryBreaches.find((breach) => breach.kind === 'lost' && breach.channel === channel);
    if (!lost) throw new Error('no such breach');
    const wire = wireOf(lost, atRate(100), 1);
    const { receivers } = wire.rules.webhookDelivery;
    const target = { id: 1, appKey: 'a', url: 'http://x', token: null, breaker: { failuresInARow: 0, isOpen: false } };
    const other = channel === 'issuance' ? 'verification' : 'issuance';
    expect(receivers([{ ...target, channel }], () => [])).toEqual([]);
    expect(receivers([{ ...target, channel: other }], () => [])).toHaveLength(1);
    expect(wire.sent).toHaveLength(1);
  },
);

function moment(some: Partial<Moment>): Moment {
  return { nth: 0, connection: 0, drawn: 0.5, ...some };
}

/** In how many of ten thousand moments a wire is broken. */
function times({ isBroken }: When, seed = 1): number {
  const draw = draws(seed);
  return Array.from({ length: 10_000 }, (_, nth) => moment({ nth, connection: 40_000 + nth, drawn: draw() })).filter(
    isBroken,
  ).length;
}

describe('a wire is broken', () => {
  test.each([1, 2, 10, 25])('at a rate of %i percent about so often', (percent) => {
    expect(Math.abs(times(atRate(percent)) - percent * 100)).toBeLessThan(20 + 10 * percent);
  });

  test('at one node of two or four: by turns exactly, drawn for a request or a connection about so often', () => {
    expect([2, 4].map((nodes) => times(oneNodeOf(nodes, 'round-robin')))).toEqual([5000, 2500]);
    for (const turn of ['random', 'sticky'] as const) {
      for (const nodes of [2, 4]) expect(Math.abs(times(oneNodeOf(nodes, turn)) - 10_000 / nodes)).toBeLessThan(200);
    }
  });
});

test('the same seed draws the same, another seed something else', () => {
  const drawn = (seed: number): number[] => Array.from({ length: 5 }, draws(seed));
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});
