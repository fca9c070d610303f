import { webhookDeliveryRules } from '../simulator/rules/webhook-delivery.ts';
import type { Mutant } from './mutant.ts';
import { delivering } from './webhook-delivery.ts';

const { isAcknowledged } = webhookDeliveryRules;

/** Whatever tells of that comes again a minute after it was acknowledged. */
function inVain(name: string, told: string): Mutant {
  return delivering(name, ['webhook-delivery.acknowledged-by-any-2xx'], {
    againMs: ({ rawBody, startedMs, firstStartedMs }, endedMs) =>
      rawBody.includes(told) && startedMs === firstStartedMs ? endedMs + 60_000 : undefined,
  });
}

/** A callback comes again a minute after any 2xx but 200. */
function by200Only(): Mutant {
  let last: number | undefined;
  return delivering('callback-acknowledged-by-200-only', ['webhook-delivery.acknowledged-by-any-2xx'], {
    isAcknowledged(status) {
      last = status;
      return isAcknowledged(status);
    },
    // The end of an attempt is booked at once: it is the answer that was just looked at.
    againMs: ({ channel, startedMs, firstStartedMs }, endedMs) =>
      channel === 'issuance' && last !== 200 && startedMs === firstStartedMs ? endedMs + 60_000 : undefined,
  });
}

/** Deliveries of one kind that are acknowledged in vain. Section 6.3. */
export const acknowledgedMutants: readonly Mutant[] = [
  inVain('denial-again-once-acknowledged', '"Negada"'),
  inVain('rejection-again-once-acknowledged', '"REJECTED"'),
  inVain('unreached-again-once-acknowledged', '"VALIDATION_ERROR"'),
  by200Only(),
  delivering('slow-retry-again', ['webhook-delivery.answer-within-10-seconds'], {
    againMs: ({ startedMs, firstStartedMs }, endedMs) =>
      startedMs > firstStartedMs && endedMs - startedMs >= 5000 ? endedMs + 300_000 : undefined,
  }),
];
