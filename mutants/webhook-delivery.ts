import { createHash, randomUUID } from 'node:crypto';
import type { ClauseId } from '../contract/catalogue.ts';
import type { AnswerHeaders, OpenAttempt, Outgoing } from '../simulator/model.ts';
import {
  type HeaderNames,
  webhookDeliveryRules,
  type WebhookDeliveryRules,
} from '../simulator/rules/webhook-delivery.ts';
import { verdictEventRules } from '../simulator/rules/verdict-event.ts';
import { counter, firstOf, mutant, type Mutant, ruleMutants } from './mutant.ts';

const ruled = ruleMutants('webhook-delivery', 'webhookSignature');

const { isAcknowledged, headerNames, retryMs, retryDelaysSeconds, failuresInARow, token } = webhookDeliveryRules;

export function delivering(what: string, breaks: Mutant['breaks'], change: Partial<WebhookDeliveryRules>): Mutant {
  return mutant(`webhook-delivery.${what}`, breaks, 'webhookDelivery', change);
}

/** One of the five headers under another name. */
function misnamed(header: keyof HeaderNames, breaks: Mutant['breaks']): Mutant {
  return delivering(`${header.toLowerCase()}-misnamed`, breaks, {
    headerNames: (prefix) => ({ ...headerNames(prefix), [header]: `x-${header.toLowerCase()}` }),
  });
}

/** Other delays between the attempts. */
function delayed(what: string, delaysSeconds: readonly number[], breaks: Mutant['breaks']): Mutant {
  return delivering(what, breaks, { retryDelaysSeconds: delaysSeconds });
}

/** What the nth delivery of an event gets, counted from 0. */
function byAttempt<T>(choose: (attempt: number, outgoing: Outgoing) => T): (outgoing: Outgoing) => T {
  const attempts = counter();
  return (outgoing) => choose(attempts(outgoing.eventId), outgoing);
}

/** What is pushed again by hand is the oldest event of its type and address, whichever was named: no test of the address. */
function redeliveringTheOldest(): Mutant {
  const oldest = firstOf<string>();
  return delivering('redelivery-of-the-oldest-event', ['webhook-delivery.redelivery'], {
    eventId: byAttempt((attempt, { eventId, eventType, url }) => {
      const first = oldest(`${eventType} ${url}`, eventId);
      return attempt > retryDelaysSeconds.length ? first : eventId;
    }),
  });
}

/** What two addresses get goes to both of them again, as long as one has not acknowledged. */
function retriedTogether(): Partial<WebhookDeliveryRules> {
  const addresses = new Map<string, Set<string>>();
  return {
    request(request, { eventId }) {
      addresses.set(eventId, (addresses.get(eventId) ?? new Set<string>()).add(request.url));
      return request;
    },
    againMs: ({ eventId }, endedMs) => ((addresses.get(eventId)?.size ?? 0) > 1 ? endedMs + 60_000 : undefined),
  };
}

/** Takes answers for an acknowledgement that are none. */
function tooEasily(what: string, breaks: Mutant['breaks'], isTaken: (status: number) => boolean): Mutant {
  return delivering(what, breaks, {
    isAcknowledged: (status) => isAcknowledged(status) || (status !== undefined && isTaken(status)),
  });
}

/** Retries that come so many milliseconds later than they are due. */
export function later(
  what: string,
  clause: ClauseId,
  delayMs: (attempt: OpenAttempt, endedMs: number, retry: number) => number,
): Mutant {
  return delivering(what, [clause], {
    retryMs: (attempt, endedMs, retry, delays) =>
      retryMs(attempt, endedMs, retry, delays) + delayMs(attempt, endedMs, retry),
  });
}

const aDayMs = 24 * 60 * 60 * 1000;
const aCenturyMs = 100 * 365 * aDayMs;

/** Waits as long as the receiver asks for. */
function obeyingRetryAfter(): Pick<WebhookDeliveryRules, 'isAcknowledged' | 'retryMs'> {
  let seconds = 0;
  return {
    isAcknowledged(status, headers) {
      seconds = Number(headers?.['retry-after'] ?? 0);
      return isAcknowledged(status);
    },
    // The end of an attempt is booked at once: it is the answer that was just looked at.
    retryMs: (attempt, endedMs, retry, delays) =>
      seconds > 0 ? endedMs + seconds * 1000 : retryMs(attempt, endedMs, retry, delays),
  };
}

/** Tries an event again only at the addresses that it is not given up for. */
function retryingUnless(isGivenUp: (attempt: OpenAttempt) => boolean): WebhookDeliveryRules['retryMs'] {
  return (attempt, endedMs, retry, delays) =>
    isGivenUp(attempt) ? endedMs + aCenturyMs : retryMs(attempt, endedMs, retry, delays);
}

/** An event is done with once one of its addresses has acknowledged it. */
function doneByOne(): Pick<WebhookDeliveryRules, 'againMs' | 'retryMs'> {
  const done = new Set<string>();
  return {
    againMs: ({ eventId }) => void done.add(eventId),
    retryMs: retryingUnless(({ eventId }) => done.has(eventId)),
  };
}

/** Whether an attempt is at another address than the one at which its event failed first. */
function isElsewhere(): (attempt: Pick<OpenAttempt, 'eventId' | 'url'>) => boolean {
  const first = firstOf<string>();
  return ({ eventId, url }) => first(eventId, url) !== url;
}

/** Of several addresses all but one are called again in half of the time. */
function hastyElsewhere(): WebhookDeliveryRules['retryMs'] {
  const isOther = isElsewhere();
  return (attempt, endedMs, retry, delays) => {
    const dueMs = retryMs(attempt, endedMs, retry, delays);
    return isOther(attempt) ? (dueMs + endedMs) / 2 : dueMs;
  };
}

const hasBody = (headers: AnswerHeaders | undefined): boolean => Number(headers?.['content-length'] ?? 0) > 0;

/** Whether it tells of a document that is not VALIDATED. */
function isOtherVerdict({ channel, rawBody }: Outgoing): boolean {
  return channel === 'verification' && /"(?:REJECTED|VALIDATION_ERROR)"/.test(rawBody.toString('utf8'));
}

/** The id of an event at one address, which it has in header and body alike; callbacks keep the right one. */
function ownIdOf({ channel, eventId, url }: Outgoing): string {
  return channel === 'issuance' ? eventId : `${eventId}-${createHash('md5').update(url).digest('hex').slice(0, 8)}`;
}

/** Events of other verdicts than VALIDATED that go to one address, and to the others where nobody listens. */
function rejectionsOnce(): Mutant {
  const isOther = isElsewhere();
  return delivering('rejections-at-one-address-only', ['webhook-delivery.all-targets'], {
    request: (request, outgoing) =>
      isOther(outgoing) && isOtherVerdict(outgoing) ? { ...request, url: 'http://127.0.0.1:9/' } : request,
  });
}

/** Retries of callbacks that hold nothing but the id of their event. */
const idAloneOnRetries = delivering('id-alone-on-retries', ['issuance-callback.bare-object'], {
  body: byAttempt((attempt, { channel, rawBody, eventId }) =>
    attempt === 0 || channel !== 'issuance' ? rawBody : Buffer.from(JSON.stringify({ event: eventId })),
  ),
});

/** A breaker that counts all failures, those too that something taken lies between. */
const countingAll = delivering('breaker-of-all-failures', ['webhook-delivery.at-least-once'], {
  failuresInARow: (before, attempt, isDone) => (isDone ? before : failuresInARow(before, attempt, isDone)),
});

/** Begins the ladder of an event again where it is answered by another status than before. */
function ladderOfEachStatus(): Partial<WebhookDeliveryRules> {
  const before = new Map<string, number | undefined>();
  let latest: number | undefined;
  return {
    isAcknowledged(status) {
      latest = status;
      return isAcknowledged(status);
    },
    retryMs(attempt, endedMs, retry, delays) {
      const isOther = before.has(attempt.eventId) && before.get(attempt.eventId) !== latest;
      before.set(attempt.eventId, latest);
      return webhookDeliveryRules.retryMs(attempt, endedMs, isOther ? 0 : retry, delays);
    },
  };
}

/** Wrong deliveries. */
export const webhookDeliveryMutants: readonly Mutant[] = [
  countingAll,
  delivering('by-put', ['webhook-delivery.post-with-json'], { method: 'PUT' }),
  delivering('as-form', ['webhook-delivery.media-type'], { contentType: 'application/x-www-form-urlencoded' }),
  delivering('as-text', ['webhook-delivery.media-type'], { contentType: 'text/plain' }),
  delivering('body-broken', ['webhook-delivery.post-with-json'], { body: ({ rawBody }) => rawBody.subarray(1) }),
  delivering('body-in-latin-1', ['webhook-delivery.post-with-json'], {
    body: ({ rawBody }) => Buffer.from(rawBody.toString('utf8'), 'latin1'),
  }),
  misnamed('event', ['webhook-delivery.event-header', 'webhook-delivery.headers-of-verdicts']),
  misnamed('eventId', ['webhook-delivery.event-id-header', 'webhook-delivery.headers-of-verdicts']),
  misnamed('deliveryId', ['webhook-delivery.delivery-id-header', 'webhook-delivery.headers-of-verdicts']),
  misnamed('timestamp', ['webhook-delivery.timestamp-header', 'webhook-delivery.headers-of-verdicts']),
  misnamed('signature', ['webhook-delivery.signature-header', 'webhook-delivery.headers-of-verdicts']),
  ruled('timestamp-in-ms', ['webhook-delivery.timestamp-header'], { timestamp: ({ startedMs }) => String(startedMs) }),
  ruled('timestamp-as-iso', ['webhook-delivery.timestamp-header'], {
    timestamp: ({ startedMs }) => new Date(startedMs).toISOString(),
  }),
  ruled('timestamp-of-an-hour-ago', ['webhook-delivery.timestamp-header'], {
    timestamp: ({ startedMs }) => String(Math.floor(startedMs / 1000) - 3600),
  }),
  ruled('stale-timestamp', ['webhook-delivery.fresh-timestamp-on-retry'], {
    timestamp: ({ createdMs }) => String(Math.floor(createdMs / 1000)),
  }),
  ruled('stale-timestamp-of-callbacks', ['webhook-delivery.fresh-timestamp-on-retry'], {
    timestamp: (outgoing) => {
      const isCallback = 'channel' in outgoing && outgoing.channel === 'issuance';
      return String(Math.floor((isCallback ? outgoing.createdMs : outgoing.startedMs) / 1000));
    },
  }),
  ruled('stale-timestamp-on-redelivery', ['webhook-delivery.fresh-timestamp-on-retry'], {
    timestamp: (outgoing) => {
      const isPushed = 'kind' in outgoing && outgoing.kind === 'manual';
      return String(Math.floor((isPushed ? outgoing.createdMs : outgoing.startedMs) / 1000));
    },
  }),
  delivering('retried-together', ['webhook-delivery.acknowledged-by-any-2xx'], retriedTogether()),
  delivering('token-on-verdicts', ['webhook-delivery.no-token-on-verdicts'], { token: () => 'token' }),
  delivering('token-on-tests', ['webhook-delivery.no-token-on-verdicts'], {
    token: (outgoing) =>
      outgoing.eventType === verdictEventRules.testEventType ? 'token' : webhookDeliveryRules.token(outgoing),
  }),
  delivering('event-id-by-the-id-alone', ['webhook-delivery.event-id-of-its-own'], {
    eventId: ({ rawBody, eventId }) => /"nfeId":"([-\w.]+)"/.exec(rawBody.toString('utf8'))?.[1] ?? eventId,
  }),
  delivering('event-id-by-the-chave', ['webhook-delivery.event-id-of-its-own'], {
    eventId: ({ rawBody, eventId }) => /"chaveAcesso":"(\d{44})"/.exec(rawBody.toString('utf8'))?.[1] ?? eventId,
  }),
  delivering('one-event-id-for-all', ['webhook-delivery.event-id-of-its-own', 'verdict-event.event-id'], {
    eventId: () => 'event',
  }),
  delivering('acknowledged-by-200-only', ['webhook-delivery.acknowledged-by-any-2xx'], {
    isAcknowledged: (status) => status === 200,
  }),
  delivering('acknowledged-by-200-and-204', ['webhook-delivery.acknowledged-by-any-2xx'], {
    isAcknowledged: (status) => status === 200 || status === 204,
  }),
  delivering('acknowledged-without-body-only', ['webhook-delivery.acknowledged-by-any-2xx'], {
    isAcknowledged: (status, headers) => isAcknowledged(status) && !hasBody(headers),
  }),
  delivering('acknowledged-by-body-too', ['webhook-delivery.other-status-retried'], {
    isAcknowledged: (status, headers) => isAcknowledged(status) || (status !== undefined && hasBody(headers)),
  }),
  delivering('retry-after-obeyed', ['webhook-delivery.other-status-retried'], obeyingRetryAfter()),
  delivering('done-by-one-address', ['webhook-delivery.other-status-retried'], doneByOne()),
  delivering('first-address-retried-only', ['webhook-delivery.other-status-retried', 'webhook-delivery.five-retries'], {
    retryMs: retryingUnless(isElsewhere()),
  }),
  delivering('other-addresses-retried-early', ['webhook-delivery.retry-delays'], { retryMs: hastyElsewhere() }),
  tooEasily(
    'acknowledged-by-3xx',
    ['webhook-delivery.other-status-retried', 'webhook-delivery.redirect-not-followed'],
    (status) => status >= 300 && status <= 399,
  ),
  tooEasily('4xx-not-retried', ['webhook-delivery.other-status-retried'], (status) => status >= 400 && status <= 499),
  ...[303, 307, 308, 409, 410, 422, 501, 505, 599].map((one) =>
    tooEasily(`${one}-not-retried`, ['webhook-delivery.other-status-retried'], (status) => status === one),
  ),
  delivering('redirects-followed', ['webhook-delivery.redirect-not-followed'], { redirectsFollowed: 1 }),
  delivering(
    'broken-not-retried',
    ['webhook-delivery.broken-connection-retried', 'webhook-delivery.timeout-after-10-seconds'],
    { isAcknowledged: (status) => status === undefined || isAcknowledged(status) },
  ),
  delivering('timeout-of-5-seconds', ['webhook-delivery.answer-within-10-seconds'], { timeoutSeconds: 5 }),
  delivering('timeout-of-5-real-seconds', ['webhook-delivery.answer-within-10-seconds'], { realTimeoutSeconds: 5 }),
  later('late-callback-the-last', 'webhook-delivery.timeout-after-10-seconds', ({ channel, startedMs }, endedMs) =>
    channel === 'issuance' && endedMs - startedMs >= 9000 ? 1e10 : 0,
  ),
  delivering('slow-callback-again', ['webhook-delivery.answer-within-10-seconds'], {
    againMs: ({ channel, startedMs }, endedMs) =>
      channel === 'issuance' && endedMs - startedMs >= 5000 ? endedMs + 60_000 : undefined,
  }),
  delivering('timeout-of-30-seconds', ['webhook-delivery.timeout-after-10-seconds'], { timeoutSeconds: 30 }),
  delayed('four-retries', retryDelaysSeconds.slice(0, 4), ['webhook-delivery.five-retries']),
  delayed('six-retries', [...retryDelaysSeconds, 3600], ['webhook-delivery.five-retries']),
  delayed(
    'no-retries',
    [],
    ['webhook-delivery.five-retries', 'webhook-delivery.issuance-retried', 'webhook-delivery.at-least-once'],
  ),
  later('a-day-late-over-midnight', 'webhook-delivery.retry-delays', (_attempt, endedMs, retry) => {
    const dueMs = endedMs + (retryDelaysSeconds[retry] ?? 0) * 1000;
    return Math.floor(dueMs / aDayMs) === Math.floor(endedMs / aDayMs) ? 0 : aDayMs;
  }),
  later('an-hour-early-over-month-end', 'webhook-delivery.retry-delays', (_attempt, endedMs, retry) => {
    const dueMs = endedMs + (retryDelaysSeconds[retry] ?? 0) * 1000;
    return new Date(dueMs).getUTCMonth() === new Date(endedMs).getUTCMonth() ? 0 : -3_600_000;
  }),
  delivering('ladder-anew-with-another-status', ['webhook-delivery.retry-delays'], ladderOfEachStatus()),
  delayed('every-minute', [60, 60, 60, 60, 60], ['webhook-delivery.retry-delays', 'webhook-delivery.issuance-retried']),
  delayed(
    'twice-as-late',
    retryDelaysSeconds.map((delay) => delay * 2),
    ['webhook-delivery.retry-delays'],
  ),
  delayed('fourth-after-an-hour', [60, 300, 1800, 3600, 21_600], ['webhook-delivery.retry-delays']),
  delivering('readings-mixed', ['webhook-delivery.retry-delays'], {
    retryMs: (attempt, endedMs, retry, delays) =>
      retry < 2 ? retryMs(attempt, endedMs, retry, delays) : attempt.firstStartedMs + (delays[retry] ?? 0) * 1000,
  }),
  delivering('a-sixth-retry-some-day', ['webhook-delivery.dead-letter'], {
    retryDelaysSeconds: [...retryDelaysSeconds, 30 * 24 * 60 * 60],
  }),
  delivering('redelivery-as-new-event', ['webhook-delivery.redelivery'], {
    eventId: byAttempt((attempt, { eventId }) => (attempt > retryDelaysSeconds.length ? randomUUID() : eventId)),
  }),
  redeliveringTheOldest(),
  delivering('retries-go-on', ['webhook-delivery.retries-stop-when-acknowledged'], {
    againMs: ({ firstStartedMs, startedMs }, endedMs) =>
      startedMs > firstStartedMs && startedMs < firstStartedMs + 120_000
        ? endedMs + 1000 * (retryDelaysSeconds[1] ?? 0)
        : undefined,
  }),
  delivering('again-each-minute-once-a-retry-is-acknowledged', ['webhook-delivery.retries-stop-when-acknowledged'], {
    againMs: ({ firstStartedMs, startedMs }, endedMs) =>
      startedMs > firstStartedMs && startedMs < firstStartedMs + 3_600_000 ? endedMs + 60_000 : undefined,
  }),
  delivering('retries-go-on-after-a-push', ['webhook-delivery.retries-stop-when-acknowledged'], {
    againMs: ({ kind, firstStartedMs }, endedMs) =>
      kind === 'manual' && firstStartedMs + 60_000 > endedMs ? firstStartedMs + 60_000 : undefined,
  }),
  delivering('event-id-per-attempt', ['webhook-delivery.event-id-kept-on-retry', 'verdict-event.event-id'], {
    eventId: ({ deliveryId }) => deliveryId,
  }),
  delivering('event-id-per-target', ['webhook-delivery.event-id-over-targets'], {
    eventId: ({ eventId, url }) => `${eventId}-${url.slice(-8)}`,
  }),
  delivering('first-target-only', ['webhook-delivery.all-targets'], { receivers: (targets) => targets.slice(0, 1) }),
  delivering('one-address-whatever-its-query', ['webhook-delivery.all-targets'], {
    receivers: (targets) => [
      ...new Map(targets.map((each) => [each.url.split('?', 1).join('').toLowerCase(), each])).values(),
    ],
  }),
  delivering('body-grows', ['webhook-delivery.body-kept-on-retry'], {
    body: byAttempt((attempt, { rawBody }) => Buffer.concat([rawBody, Buffer.alloc(attempt, ' ')])),
  }),
  tooEasily(
    'lost-after-503',
    ['webhook-delivery.at-least-once', 'webhook-delivery.other-status-retried'],
    (status) => status === 503,
  ),
  delivering('issuance-every-ten-seconds', ['webhook-delivery.issuance-retried'], {
    retryMs: (attempt, endedMs, retry, delays) =>
      attempt.channel === 'issuance' ? endedMs + 10_000 : retryMs(attempt, endedMs, retry, delays),
  }),
  delivering('event-per-address', ['webhook-delivery.event-id-over-targets'], {
    eventId: (outgoing) => ownIdOf(outgoing),
    body: (outgoing) => Buffer.from(outgoing.rawBody.toString('utf8').replaceAll(outgoing.eventId, ownIdOf(outgoing))),
  }),
  rejectionsOnce(),
  idAloneOnRetries,
  later('four-retries-of-other-verdicts', 'webhook-delivery.five-retries', (attempt, _, retry) =>
    retry === 4 && isOtherVerdict(attempt) ? aCenturyMs : 0,
  ),
  later('late-retry-of-other-verdicts', 'webhook-delivery.retry-delays', (attempt, _, retry) =>
    retry === 1 && isOtherVerdict(attempt) ? 120_000 : 0,
  ),
  mutant('issuance-callback.no-token-by-hand', ['issuance-callback.token'], 'webhookDelivery', {
    token: (outgoing) => ('kind' in outgoing && outgoing.kind === 'manual' ? undefined : token(outgoing)),
  }),
  delivering('breaker-never-opens', ['webhook-delivery.breaker-opens'], {
    breakerThreshold: Infinity,
    isHeld: () => false,
  }),
  mutant('webhook-delivery.breaker-never-closes', ['webhook-delivery.breaker-closes'], 'webhookRegistration', {
    restoresDelivery: false,
  }),
];
