import { randomUUID } from 'node:crypto';
import { limits } from '../../contract/values.ts';
import type { AnswerHeaders, Breaker, Channel, OpenAttempt, Outgoing, Target } from '../model.ts';

/** How events are delivered. Sections 6.1, 6.3, 6.4 and 8. */
export interface WebhookDeliveryRules {
  readonly newEventId: () => string;
  /** One for each attempt. */
  readonly newDeliveryId: () => string;
  /** The addresses that get an event, of those that its channel has. */
  readonly receivers: (
    targets: readonly Target[],
    targetsOf: (channel: Channel) => readonly Target[],
  ) => readonly Target[];
  readonly method: 'POST' | 'PUT';
  readonly contentType: string;
  /** By the prefix, such as `X-Service`. */
  readonly headerNames: (prefix: string) => HeaderNames;
  /** What the event id header carries. */
  readonly eventId: (outgoing: Outgoing) => string;
  /** What the `token` header carries; `undefined`: there is none. */
  readonly token: (outgoing: Outgoing) => string | undefined;
  /** What is sent, and signed. */
  readonly body: (outgoing: Outgoing) => Buffer;
  /** What goes out in the end. */
  readonly request: (request: DeliveryRequest, outgoing: Outgoing) => DeliveryRequest;
  /** By the status that was answered, and by nothing else of the answer; `undefined`: there was none. */
  readonly isAcknowledged: (status: number | undefined, headers?: AnswerHeaders) => boolean;
  readonly timeoutSeconds: number;
  /** The same for who waits while the clock of the application stands still. */
  readonly realTimeoutSeconds: number;
  readonly redirectsFollowed: number;
  /** How long after the attempt before it each retry follows. */
  readonly retryDelaysSeconds: readonly number[];
  /** When a failed attempt is retried: `retry` counts from 0. Unix milliseconds. */
  readonly retryMs: (attempt: OpenAttempt, endedMs: number, retry: number, delaysSeconds: readonly number[]) => number;
  /** When an acknowledged attempt is made once more all the same; `undefined`: never. Unix milliseconds. */
  readonly againMs: (attempt: OpenAttempt, endedMs: number) => number | undefined;
  /** How many failures in a row open a target's breaker. */
  readonly breakerThreshold: number;
  /** What an attempt makes of its target's failures in a row. */
  readonly failuresInARow: (before: number, attempt: OpenAttempt, isAcknowledged: boolean) => number;
  /** Whether new events for a target are held. */
  readonly isHeld: (breaker: Breaker) => boolean;
}

/** The HTTP request of one attempt. */
export interface DeliveryRequest {
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly rawBody: Buffer;
}

/** The five headers that each delivery has. Section 6.1. */
export interface HeaderNames {
  readonly event: string;
  readonly eventId: string;
  readonly deliveryId: string;
  readonly timestamp: string;
  readonly signature: string;
}

export const webhookDeliveryRules: WebhookDeliveryRules = {
  newEventId: () => randomUUID(),
  newDeliveryId: () => randomUUID(),
  receivers: (targets) => targets,
  method: 'POST',
  contentType: 'application/json',
  headerNames: (prefix) => ({
    event: `${prefix}-Event`,
    eventId: `${prefix}-Event-Id`,
    deliveryId: `${prefix}-Delivery-Id`,
    timestamp: `${prefix}-Timestamp`,
    signature: `${prefix}-Signature`,
  }),
  eventId: ({ eventId }) => eventId,
  token: ({ channel, token }) => (channel === 'issuance' ? (token ?? undefined) : undefined),
  body: ({ rawBody }) => rawBody,
  request: (request) => request,
  isAcknowledged: (status) => status !== undefined && status >= 200 && status <= 299,
  timeoutSeconds: limits.webhookResponseSeconds,
  realTimeoutSeconds: limits.webhookResponseSeconds,
  redirectsFollowed: 0,
  retryDelaysSeconds: limits.webhookRetryDelaysSeconds,
  retryMs: (_attempt, endedMs, retry, delaysSeconds) => endedMs + (delaysSeconds[retry] ?? 0) * 1000,
  againMs: () => undefined,
  breakerThreshold: 10,
  // Verdicts have no other way to their receiver: only the issuance channel has a breaker. A re-push is no evidence.
  failuresInARow(before, { channel, kind }, isAcknowledged) {
    if (channel === 'verification' || kind === 'manual') return before;
    return isAcknowledged ? 0 : before + 1;
  },
  isHeld: ({ isOpen }) => isOpen,
};
