import { randomBytes } from 'node:crypto';
import { asciiJson } from './messages.ts';
import { deliverySignature } from './signing.ts';
import type { World } from './world.ts';

/** Something that is told to a receiver, until it acknowledges it. */
export interface Delivery {
  readonly url: string;
  readonly eventType: string;
  readonly eventId: string;
  readonly body: unknown;
  readonly secret: string;
  /** Only callbacks have one. Section 6.1. */
  readonly token?: string;
  /** Asked before each attempt: whether this receiver is still to be called. */
  readonly isWanted?: () => boolean;
  /** Told how each attempt ended. */
  readonly onEnd?: (isAcknowledged: boolean) => void;
}

/** An id that no other event has. */
export function newEventId(): string {
  return `evt.${randomBytes(15).toString('base64url')}`;
}

/** Tries at once, and again on the ladder counted from now while it is not acknowledged. Whether the first was. Section 6.4. */
export async function deliver(delivery: Delivery, world: World): Promise<boolean> {
  const firstMs = world.nowMs();
  const { retryDelaysMs, isDoubling } = world.settings;
  const tryFrom = async (retry: number): Promise<boolean> => {
    if (delivery.isWanted?.() === false) return false;
    const isAcknowledged = await attempt(delivery, world);
    delivery.onEnd?.(isAcknowledged);
    const delayMs = retryDelaysMs[retry];
    if (!isAcknowledged && delayMs !== undefined) {
      world.later(Math.max(0, firstMs + delayMs - world.nowMs()), () => void tryFrom(retry + 1));
    }
    return isAcknowledged;
  };
  const isAcknowledged = await tryFrom(0);
  if (isAcknowledged && isDoubling) await attempt(delivery, world);
  return isAcknowledged;
}

const receiverTimeoutMs = 10_000;

/** One POST. Redirects are not followed; whatever is no 2xx, and whatever breaks, is no acknowledgement. Section 6.3. */
export async function attempt(delivery: Delivery, world: World): Promise<boolean> {
  const { url, eventType, eventId, body, secret, token } = delivery;
  const rawBody = Buffer.from(`${asciiJson(body, 2)}\n`);
  const timestamp = String(Math.floor(world.nowMs() / 1000));
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(receiverTimeoutMs),
      headers: {
        'content-type': 'application/vnd.nfe+json',
        'x-service-event': eventType,
        'x-service-event-id': eventId,
        'x-service-delivery-id': randomBytes(6).toString('hex'),
        'x-service-timestamp': timestamp,
        'x-service-signature': deliverySignature(secret, timestamp, rawBody),
        ...(token === undefined ? {} : { token }),
      },
      body: rawBody,
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}
