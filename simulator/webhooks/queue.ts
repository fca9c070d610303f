import type { Channel, Target, WebhookEvent } from '../model/delivery.ts';
import type { ServiceParts } from '../service.ts';

/**
 * Puts an event into the outbox, for each address that the application has for the channel; nothing where it has none. The
 * body gets the event's id and is written as JSON once. To be called in a transaction; a touch of the timeline sends it.
 */
export function queueEvent(
  channel: Channel,
  event: Pick<WebhookEvent, 'appKey' | 'eventType' | 'createdMs'>,
  { state, rules }: ServiceParts,
  body: (eventId: string) => unknown,
): void {
  const { receivers, newEventId, isHeld } = rules.webhookDelivery;
  const targetsOf = (of: Channel): Target[] => state.webhooks.targetsOf(event.appKey, of);
  const targets = receivers(targetsOf(channel), targetsOf);
  if (targets.length === 0) return;
  const eventId = newEventId();
  const rawBody = Buffer.from(JSON.stringify(body(eventId)));
  const deliveries = targets.map(({ id, breaker }) => ({ targetId: id, isHeld: isHeld(breaker) }));
  state.outbox.add({ ...event, eventId, rawBody }, deliveries);
}
