import type { Mutant } from './mutant.ts';
import { delivering } from './webhook-delivery.ts';

/** Whatever tells of that comes again a minute after it was acknowledged. */
function inVain(name: string, told: string): Mutant {
  return delivering(name, ['webhook-delivery.acknowledged-by-any-2xx'], {
    againMs: ({ rawBody, startedMs, firstStartedMs }, endedMs) =>
      rawBody.includes(told) && startedMs === firstStartedMs ? endedMs + 60_000 : undefined,
  });
}

/** Deliveries of one kind that are acknowledged in vain. Section 6.3. */
export const acknowledgedMutants: readonly Mutant[] = [
  inVain('denial-again-once-acknowledged', '"Negada"'),
  inVain('rejection-again-once-acknowledged', '"REJECTED"'),
  inVain('unreached-again-once-acknowledged', '"VALIDATION_ERROR"'),
];
