import { decideIssuance } from '../authority/issuance.ts';
import type { Invoice } from '../model/invoice.ts';
import type { ServiceParts } from '../service.ts';
import type { DueWork } from '../timeline.ts';
import { queueIssuanceCallback } from '../webhooks/issuance-callback.ts';

/** Has the tax authority asked for each invoice that is due, and keeps what it decides. Sections 1 and 3.1. */
export function settlements(parts: ServiceParts): DueWork {
  const { state, rules } = parts;
  const settle = (invoice: Invoice, nowMs: number): void =>
    state.transaction(() => {
      const settlement = decideIssuance(invoice, nowMs, parts);
      state.invoices.settle(invoice.id, settlement);
      queueIssuanceCallback({ ...invoice, settlement }, parts);
    });
  return {
    nextDueMs: (appKey, afterMs) => state.invoices.nextDueMs(appKey, afterMs),
    startDue(appKey, nowMs) {
      if (!state.applications.findByKey(appKey)?.authority.isReachable) return [];
      for (const invoice of state.invoices.due(appKey, nowMs)) {
        if (rules.nfeIssuance.settles(invoice)) settle(invoice, Math.max(nowMs, invoice.dueMs));
      }
      return [];
    },
  };
}
