import type { Verification } from '../model/verification.ts';
import type { ServiceParts } from '../service.ts';
import type { DueWork } from '../timeline.ts';
import { queueVerdictEvent } from '../webhooks/verdict-event.ts';
import { verdictOn } from './verdict.ts';

/** Has the authority asked for each verification that is due, keeps the verdict and tells it. Sections 1 and 6.6. */
export function verificationSettlements(parts: ServiceParts): DueWork {
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
