import type { Arrival } from '../client/receiver-arrival.ts';
import type { DeliveryHeader } from '../client/verify-delivery.ts';
import {
  bodyOfArrival,
  calledBack,
  calledBackOnce,
  callbacksFor,
  callbacksOf,
  headerOfArrival,
  lacking,
} from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { issue, issuerOf } from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';
import { settledEvent } from './kit/verdicts.ts';

/** The event id of a delivery, however its header may be missing. */
function eventIdOf(t: Trial, arrival: Arrival): string {
  return headerOfArrival(t, arrival, 'Event-Id') ?? '';
}

check('webhook-delivery.post-with-json', 'a delivery is a POST with a JSON body', async (t) => {
  const { arrival } = await calledBackOnce(t, 'Autorizada');
  const isJson = bodyOfArrival(arrival) !== undefined;
  t.holds(arrival.method === 'POST' && isJson, {
    expected: 'POST with a body of JSON',
    actual: `${arrival.method}, ${isJson ? 'JSON' : 'a body that is no JSON'}`,
  });
});

check('webhook-delivery.media-type', 'the Content-Type of a delivery is one of JSON', async (t) => {
  const { arrival } = await calledBackOnce(t, 'Autorizada');
  const contentType = arrival.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  t.holds(/^application\/(?:[\w.-]+\+)?json\b/i.test(contentType), {
    expected: 'application/json, or another type that ends in +json',
    actual: contentType || 'no Content-Type',
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
    const { arrival } = await calledBackOnce(t, 'Autorizada');
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
  const event = await settledEvent(t);
  const headers = ['Event', 'Event-Id', 'Delivery-Id', 'Timestamp', 'Signature'] as const;
  await t.each(headers, (header) => hasHeader(t, event, header));
});

check('webhook-delivery.no-token-on-verdicts', 'a verdict has no `token` header', async (t) => {
  const event = await settledEvent(t);
  const token = event.headers.find(([name]) => name.toLowerCase() === 'token');
  t.holds(token === undefined, { expected: 'no token header', actual: 'a token header' });
});

check('webhook-delivery.event-id-of-its-own', 'the callbacks of two invoices have two event ids', async (t) => {
  const issuer = await issuerOf(t);
  const callbacks = await callbacksOf(t, issuer.caller);
  const ids = new Map<string, string>();
  for (const which of ['first', 'second']) {
    const { nfeId } = await issue(t, issuer);
    const arrivals = await callbacksFor(t, issuer, callbacks, nfeId);
    const own = arrivals.find(({ rawBody }) => rawBody.includes(JSON.stringify(nfeId)));
    if (!own) throw lacking(t, `a callback of the ${which} invoice`);
    ids.set(nfeId, eventIdOf(t, own));
  }
  t.holds(new Set(ids.values()).size === 2, { expected: 'two event ids', actual: [...ids.values()].join(' twice') });
});
