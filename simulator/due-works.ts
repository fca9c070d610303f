import { decideIssuance } from './authority/decisions.ts';
import type { Invoice } from './model/invoice.ts';
import type { Verification } from './model/verification.ts';
import type { ServiceParts } from './service.ts';
import type { DueWork } from './timeline.ts';
import { verdictOn } from './verification/verdict.ts';
import { deliveries } from './webhooks/deliveries.ts';
import { queueIssuanceCallback, queueVerdictEvent } from './webhooks/events.ts';

/** Everything that becomes due in a simulator; what a settlement brings about can start with it. */
export function dueWorks(parts: ServiceParts): readonly DueWork[] {
  return [settlements(parts), verificationSettlements(parts), ...deliveries(parts)];
}

/** Has the tax authority asked for each invoice that is due, and keeps what it decides. Sections 1 and 3.1. */
function settlements(parts: ServiceParts): DueWork {
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

/** Has the authority asked for each verification that is due, keeps the verdict and tells it. Sections 1 and 6.6. */
function verificationSettlements(parts: ServiceParts): DueWork {
  const { state, rules } = parts;
  const settle = (verification: Verification, nowMs: number): void =>
    state.transaction(() => {
      const application = state.applications.findByKey(verification.appKey);
      if (!application) throw new Error(`the application ${verification.appKey} of a verification is gone`);
      const verdict = verdictOn(verification.findings, application, nowMs, parts);
      state.verifications.settle(verification, verdict);
      if (rules.verdict.isSent(verdict)) queueVerdictEvent(application, verdict, nowMs, parts);
    });
  return {
    nextDueMs: (appKey, afterMs) => state.verifications.nextDueMs(appKey, afterMs),
    startDue(appKey, nowMs) {
      for (const verification of state.verifications.due(appKey, nowMs)) settle(verification, nowMs);
      return [];
    },
  };
}
