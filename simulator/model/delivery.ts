/** The two ways by which the service pushes. Section 6. */
export const channels = ['issuance', 'verification'] as const;

export type Channel = (typeof channels)[number];

/** `dead`: all retries are used up. `held`: stopped by the circuit breaker of its target. Section 6.4. */
export const deliveryStates = ['pending', 'delivered', 'dead', 'held'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** `planned`: the first attempt and its retries. `manual`: a re-push, which uses up no retry. */
export const attemptKinds = ['planned', 'manual'] as const;

export type AttemptKind = (typeof attemptKinds)[number];

/** An address that an application has its events of one channel sent to. */
export interface Target {
  readonly id: number;
  readonly appKey: string;
  readonly channel: Channel;
  /** As it was given. */
  readonly url: string;
  /** Issuance only: what was registered with the address, to be sent back with each delivery. */
  readonly token: string | null;
  readonly breaker: Breaker;
}

/** What stops deliveries to a target that keeps failing. Section 6.4. */
export interface Breaker {
  readonly failuresInARow: number;
  readonly isOpen: boolean;
}

/** Something to tell an application, to all of its addresses of one channel alike. */
export interface WebhookEvent {
  readonly appKey: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly rawBody: Buffer;
  /** Unix milliseconds. */
  readonly createdMs: number;
}

/** What one attempt carries to one address. */
export interface Outgoing extends WebhookEvent {
  readonly channel: Channel;
  readonly url: string;
  readonly token: string | null;
  /** Its own, of each attempt. */
  readonly deliveryId: string;
  /** Unix milliseconds, like all times here. */
  readonly startedMs: number;
}

/** An attempt that the books know as under way. */
export interface OpenAttempt extends Outgoing {
  readonly id: number;
  readonly kind: AttemptKind;
  readonly targetId: number;
  /** The row of the delivery that it belongs to. */
  readonly delivery: number;
  /** When the first attempt of its delivery started. */
  readonly firstStartedMs: number;
}

/** How far a delivery has come. */
export interface Progress {
  readonly state: DeliveryState;
  /** Planned attempts that failed. */
  readonly failedAttempts: number;
}

/** Headers of an answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How an attempt ended: with an answer, or with the reason why there is none. */
export type AttemptEnd = { readonly status: number; readonly headers?: AnswerHeaders } | { readonly error: string };

/** A delivery with its attempts, as the control API lists it. */
export interface DeliveryRecord {
  readonly eventId: string;
  readonly channel: Channel;
  readonly eventType: string;
  readonly url: string;
  readonly state: DeliveryState;
  readonly nextAttemptMs: number | null;
  /** Those that have ended. */
  readonly attempts: readonly AttemptRecord[];
}

export interface AttemptRecord {
  readonly deliveryId: string;
  readonly startedMs: number;
  readonly status: number | null;
  readonly error: string | null;
}
