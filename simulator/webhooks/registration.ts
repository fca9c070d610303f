import type { ServiceParts } from '../service.ts';

/**
 * Adds an address for issuance callbacks, or replaces the token of a known one, whose breaker closes: what was held for it is
 * due at that time. A transaction of its own; a touch of the timeline sends it. Unix milliseconds. Section 6.4.
 */
export function registerCallback(
  { appKey, url, token }: { readonly appKey: string; readonly url: string; readonly token: string },
  nowMs: number,
  { state, rules }: ServiceParts,
): void {
  state.transaction(() => {
    const target = state.webhooks.register(appKey, url, token);
    if (!rules.webhookRegistration.restoresDelivery) return;
    state.webhooks.setBreaker(target.id, { failuresInARow: 0, isOpen: false });
    state.outbox.release(target.id, nowMs);
  });
}
