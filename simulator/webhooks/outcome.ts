import type { AttemptEnd, Breaker, OpenAttempt, Progress } from '../model/delivery.ts';
import type { WebhookDeliveryRules } from '../rules/webhook-delivery.ts';

/** What follows from the end of an attempt. */
interface Outcome {
  readonly progress: Progress;
  /** When the next planned attempt is due; absent where there is none. Unix milliseconds. */
  readonly retryMs?: number;
  readonly breaker: Breaker;
}

/** How things stood when an attempt ended; other attempts may have changed them since it started. */
interface StateAtEnd {
  readonly progress: Progress;
  readonly breaker: Breaker;
}

/** What becomes of a delivery and of its target's breaker when an attempt ends at that time. Sections 6.3 and 6.4. */
export function outcomeOf(
  attempt: OpenAttempt,
  end: AttemptEnd,
  endedMs: number,
  standing: StateAtEnd,
  rules: WebhookDeliveryRules,
): Outcome {
  const isAcknowledged =
    'status' in end ? rules.isAcknowledged(end.status, end.headers) : rules.isAcknowledged(undefined);
  const breaker = breakerAfter(attempt, isAcknowledged, standing.breaker, rules);
  const { state, failedAttempts } = standing.progress;
  if (isAcknowledged) {
    const retryMs = rules.againMs(attempt, endedMs);
    const progress: Progress = { state: 'delivered', failedAttempts };
    return { progress, breaker, ...(retryMs === undefined ? {} : { retryMs }) };
  }
  if (attempt.kind === 'manual' || state === 'delivered') return { progress: standing.progress, breaker };
  const failed = failedAttempts + 1;
  if (failed > rules.retryDelaysSeconds.length) return { progress: { state: 'dead', failedAttempts: failed }, breaker };
  if (breaker.isOpen) return { progress: { state: 'held', failedAttempts: failed }, breaker };
  const retryMs = rules.retryMs(attempt, endedMs, failedAttempts, rules.retryDelaysSeconds);
  return { progress: { state: 'pending', failedAttempts: failed }, retryMs, breaker };
}

/** Once open it stays so, until its address is registered again. */
function breakerAfter(
  attempt: OpenAttempt,
  isAcknowledged: boolean,
  { failuresInARow, isOpen }: Breaker,
  rules: WebhookDeliveryRules,
): Breaker {
  const failures = rules.failuresInARow(failuresInARow, attempt, isAcknowledged);
  return { failuresInARow: failures, isOpen: isOpen || failures >= rules.breakerThreshold };
}
