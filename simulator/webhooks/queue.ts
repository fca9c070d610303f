import { deliveryFaults, type DeliveryFault } from '../../schemas/faults-on-demand.ts';
import type { Channel, Target, WebhookEvent } from '../model/delivery.ts';
import type { ServiceParts } from '../service.ts';
import type { Strike } from '../state/armed-faults.ts';
import type { NewDelivery } from '../state/outbox.ts';

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
  const { appKey, createdMs } = event;
  const strike = state.faults.strike(appKey, { kinds: deliveryFaults, on: channel, path: '', rawBody }, createdMs);
  const plan = planOf(createdMs, strike);
  const deliveries = targets.map(({ id, breaker }) => ({ targetId: id, ...(isHeld(breaker) ? held : plan) }));
  state.outbox.add({ ...event, eventId, rawBody }, deliveries);
}

type Plan = Omit<NewDelivery, 'targetId'>;

const held: Plan = { state: 'held', attempts: [] };

/** One attempt at once, unless a fault on demand makes it another. A duplicate is a re-push: it uses up no retry. */
function planOf(createdMs: number, strike: Strike<DeliveryFault> | undefined): Plan {
  const now = { kind: 'planned', dueMs: createdMs } as const;
  if (!strike) return { state: 'pending', attempts: [now] };
  const dueMs = createdMs + Math.round(strike.delaySeconds * 1000);
  const plans = {
    twice: { state: 'pending', attempts: [now, { kind: 'manual', dueMs }] },
    late: { state: 'pending', attempts: [{ kind: 'planned', dueMs }] },
    never: { state: 'dead', attempts: [] },
  } as const satisfies Readonly<Record<DeliveryFault, Plan>>;
  return plans[strike.kind];
}
