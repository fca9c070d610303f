import { createHmac, randomBytes, randomInt } from 'node:crypto';
import type { OpenAttempt } from '../../simulator/model.ts';
import { parseJsonObject } from '../../simulator/http/json.ts';
import { atEndpoint, behindStages, type EndpointChange } from '../mutant.ts';
import type { DeliveryRequest, WebhookDeliveryRules } from '../../simulator/rules/webhook-delivery.ts';
import { withTopic, type Variant } from './variant.ts';

type Retry = Parameters<WebhookDeliveryRules['retryMs']>;

/** From what the delays of retries are counted, by every reading. Section 6.4 and reading 27. */
const readings = {
  'from-first': ([{ firstStartedMs }]: Retry) => firstStartedMs,
  'from-start': ([{ startedMs }]: Retry) => startedMs,
  'from-end': ([, endedMs]: Retry) => endedMs,
} as const;

const drifts = [
  ['on-time', () => 1],
  ['9-percent-late', () => 1.09],
  ['9-percent-early', () => 0.91],
  ['9-percent-off-by-chance', () => 0.91 + Math.random() * 0.18],
] as const;

/** Retries by each reading, each as late or early as may be. */
const ladders: readonly Variant[] = Object.entries(readings).flatMap(([reading, from]) =>
  drifts.map(([drift, factor]) => ({
    id: `variant.retries-${reading}-${drift}`,
    change: withTopic('webhookDelivery', () => ({
      retryMs: (...retry) => from(retry) + Math.round((retry[3][retry[2]] ?? 0) * 1000 * factor()),
    })),
  })),
);

/** Delivers once more what was acknowledged, so long after. Section 6 and reading 28. */
function again(what: string, ...seconds: readonly [number, ...number[]]): Variant {
  return {
    id: `variant.again-${what}`,
    change(rules) {
      const counts = new Map<string, number>();
      return withTopic('webhookDelivery', () => ({
        againMs({ eventId, targetId }, endedMs) {
          const key = `${eventId} ${targetId}`;
          const count = counts.get(key) ?? 0;
          counts.set(key, count + 1);
          const delay = seconds[count];
          return delay === undefined ? undefined : endedMs + delay * 1000;
        },
      }))(rules);
    },
  };
}

/** Other requests of deliveries, where the contract leaves them open. */
function requested(
  what: string,
  change: (request: DeliveryRequest) => Partial<DeliveryRequest>,
  ...unlike: NonNullable<Variant['unlike']>
): Variant {
  return {
    id: `variant.delivery-${what}`,
    ...(unlike.length === 0 ? {} : { unlike }),
    change: withTopic('webhookDelivery', ({ request }) => ({
      request(right, outgoing) {
        const made = request(right, outgoing);
        return { ...made, ...change(made) };
      },
    })),
  };
}

const typed = (what: string, contentType: string, ...unlike: NonNullable<Variant['unlike']>): Variant =>
  requested(`of-type-${what}`, ({ headers }) => ({ headers: { ...headers, 'content-type': contentType } }), ...unlike);

const renamed = (change: (name: string) => string) => (request: DeliveryRequest) => ({
  headers: Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [change(name), value])),
});

/** Other ids of events or deliveries. */
function named(what: string, newId: () => string): Variant {
  return {
    id: `variant.delivery-ids-${what}`,
    change: withTopic('webhookDelivery', () => ({ newEventId: newId, newDeliveryId: newId })),
  };
}

/** When deliveries come, and how often. */
export const retryVariants: readonly Variant[] = [
  ...ladders,
  again('at-once', 0),
  again('after-30-seconds', 30),
  again('after-3-minutes', 180),
  again('after-12-minutes', 720),
  again('after-an-hour', 3_600),
  again('twice', 0, 20),
  again('many-times', 1, 10, 150, 900),
  {
    id: 'variant.deliveries-twice',
    change: withTopic('webhookDelivery', ({ receivers }) => ({
      receivers: (targets, targetsOf) => receivers(targets, targetsOf).flatMap((target) => [target, target]),
    })),
  },
  {
    id: 'variant.deliveries-to-last-address-first',
    change: withTopic('webhookDelivery', ({ receivers }) => ({
      receivers: (targets, targetsOf) => receivers(targets, targetsOf).toReversed(),
    })),
  },
  { id: 'variant.tokens-of-the-time-of-events', change: withTopic('webhookDelivery', tokenOfItsTime) },
];

/** Each event keeps the token that its address had as it arose, whatever was registered before it comes. Sections 6.1 and 6.4. */
function tokenOfItsTime({ token }: WebhookDeliveryRules): Partial<WebhookDeliveryRules> {
  const seen = new Map<string, { readonly token: string | undefined; readonly sinceMs: number }[]>();
  return {
    token(outgoing) {
      const { appKey, url, createdMs, startedMs } = outgoing;
      const of = seen.get(`${appKey} ${url}`) ?? [];
      seen.set(`${appKey} ${url}`, of);
      const now = token(outgoing);
      if (of.at(-1)?.token !== now) of.push({ token: now, sinceMs: startedMs });
      return (of.findLast(({ sinceMs }) => sinceMs <= createdMs) ?? of[0])?.token;
    },
  };
}

/** Where the breaker of the issuance channel opens. */
export const breakerVariants: readonly Variant[] = [3, 5, 7, 25].map((breakerThreshold) => ({
  id: `variant.breaker-after-${breakerThreshold}`,
  change: withTopic('webhookDelivery', () => ({ breakerThreshold })),
}));

/** What the requests of deliveries look like. Section 6.1 and reading 34. */
export const deliveryVariants: readonly Variant[] = [
  typed('vendor-json', 'application/vnd.nfe+json'),
  typed('vendor-json-of-version', 'application/vnd.nfe.v1.0+json; charset=utf-8'),
  typed('cloudevents', 'application/cloudevents+json; charset=UTF-8'),
  typed('upper-case', 'APPLICATION/JSON;CHARSET=UTF-8'),
  typed('with-quoted-charset', 'application/json; charset="utf-8"'),
  typed('with-parameters', 'application/json;version=1.0;profile="https://example.com/a;b"'),
  typed('text-json', 'text/json', 'webhook-delivery.media-type'),
  typed('plain-text', 'text/plain', 'webhook-delivery.media-type'),
  requested(
    'of-no-type',
    ({ headers }) => ({
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type')),
    }),
    'webhook-delivery.media-type',
  ),
  requested(
    'with-names-in-lower-case',
    renamed((name) => name.toLowerCase()),
  ),
  requested(
    'with-names-in-capitals',
    renamed((name) => name.toUpperCase()),
  ),
  requested('with-headers-in-reverse-order', ({ headers }) => ({
    headers: Object.fromEntries(Object.entries(headers).toReversed()),
  })),
  requested('with-more-headers', ({ headers }) => ({
    headers: {
      ...headers,
      traceparent: `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`,
      'x-service-attempt': '1',
      'x-service-version': '1.0',
      accept: '*/*',
      'accept-encoding': 'gzip',
      timestamp: '0',
      sign: 'none',
    },
  })),
];

/** A delivery that tests an address. */
interface TestOfAddress {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The test that is due where an address for verdicts is saved. Section 6.5. */
function signedTest(appSecret: string, nowMs: number): TestOfAddress {
  const [eventId, timestamp] = [crypto.randomUUID(), String(Math.floor(nowMs / 1000))];
  const body = JSON.stringify({ version: '1.0', event_id: eventId, event_type: 'webhook.verify', data: {} });
  return {
    body,
    headers: {
      'x-service-event': 'webhook.verify',
      'x-service-event-id': eventId,
      'x-service-delivery-id': crypto.randomUUID(),
      'x-service-timestamp': timestamp,
      'x-service-signature': createHmac('sha256', appSecret).update(`${timestamp}.${body}`).digest('hex'),
    },
  };
}

/** Tests an address as it is registered for callbacks, whatever comes of it. */
function addressTested(what: string, testOf: (appSecret: string, nowMs: number) => TestOfAddress): Variant {
  const tested: EndpointChange = async (request, context, answer) => {
    const reply = await answer(request, context);
    const { uri, token } = parseJsonObject(request.rawBody) ?? {};
    if (reply.status !== 200) return reply;
    const { body, headers } = testOf(context.sent.token, context.nowMs);
    await fetch(String(uri), {
      method: 'POST',
      headers: { token: String(token), 'content-type': 'application/json', ...headers },
      body,
      signal: AbortSignal.timeout(1_000),
    }).catch(() => undefined);
    return reply;
  };
  return {
    id: `variant.callback-address-tested-${what}`,
    change: (rules) => behindStages(rules, atEndpoint('webhook-registration', tested), 'endpoint'),
  };
}

/** What events and deliveries are called. */
export const deliveryIdVariants: readonly Variant[] = [
  named('as-numbers', () => String(randomInt(2 ** 40))),
  named('ulid', () => Array.from({ length: 26 }, () => '0123456789ABCDEFGHJKMNPQRSTVWXYZ'[randomInt(32)]).join('')),
  named('long', () => `evt_${randomBytes(120).toString('base64url')}`),
  named('with-signs', () => `urn:nfe:evento/${randomBytes(6).toString('hex')}#1?a=b;c, "d"`),
  addressTested('by-webhook-verify', signedTest),
  addressTested('by-a-ping', () => ({ body: '{"ping":true}', headers: {} })),
  {
    // What takes as long as a receiver may is retried; what breaks off before is taken as delivered.
    id: 'variant.broken-connections-given-up',
    unlike: ['webhook-delivery.broken-connection-retried'],
    change: withTopic('webhookDelivery', ({ isAcknowledged, timeoutSeconds, retryDelaysSeconds, retryMs }) => {
      // Attempts that were answered too late stand on the ladder with those that were refused.
      const failures = new Map<string, number>();
      const nameOf = ({ eventId, targetId }: OpenAttempt): string => `${eventId} ${targetId}`;
      return {
        isAcknowledged: (status, headers) => status === undefined || isAcknowledged(status, headers),
        retryMs(attempt, endedMs, retry, delays) {
          failures.set(nameOf(attempt), retry + 1);
          return retryMs(attempt, endedMs, retry, delays);
        },
        againMs(attempt, endedMs) {
          if (endedMs - attempt.startedMs < timeoutSeconds * 1000) return undefined;
          const before = failures.get(nameOf(attempt)) ?? 0;
          failures.set(nameOf(attempt), before + 1);
          const delay = retryDelaysSeconds[before];
          return delay === undefined ? undefined : endedMs + delay * 1000;
        },
      };
    }),
  },
  {
    id: 'variant.delivery-id-always-the-same',
    change: withTopic('webhookDelivery', () => ({ newDeliveryId: () => 'delivery' })),
  },
  {
    id: 'variant.callback-of-another-event-type',
    change: withTopic('issuanceCallback', () => ({ eventType: 'nf-e' })),
  },
];
