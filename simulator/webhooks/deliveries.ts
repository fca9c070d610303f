import { nowMs } from '../clock.ts';
import type { ServiceParts } from '../service.ts';
import type { AttemptEnd, OpenAttempt } from '../state/delivery.ts';
import type { DueWork } from '../timeline.ts';
import { openFlights, type Flight } from './flights.ts';
import { outcomeOf } from './outcome.ts';
import { deliveryRequest } from './request.ts';

/** How many attempts at one target are under way at once: a slow receiver holds up its own deliveries only. */
export const attemptsAtOnce = 8;

/** Sends what the outbox says is due, and ends attempts whose time is over on their application's clock. Section 6. */
export function deliveries(parts: ServiceParts): readonly DueWork[] {
  const { state, rules, sender } = parts;
  const { timeoutSeconds, newDeliveryId } = rules.webhookDelivery;
  const flights = openFlights();
  let isStopped = false;

  /** Books the end of an attempt, once; not after the stop, so that the next start sends it again. */
  const land = (flight: Flight, end: AttemptEnd, endedMs: number): void => {
    if (flight.hasLanded || isStopped) return;
    flight.hasLanded = true;
    state.transaction(() => bookEnd(flight.attempt, end, endedMs, parts));
  };
  const timeOut = (flight: Flight, endedMs: number): void => {
    const error = `no answer within ${timeoutSeconds} seconds`;
    land(flight, { error }, endedMs);
    flight.abort.abort(new Error(error));
    flights.remove(flight);
  };
  const clockMs = (appKey: string): number => nowMs(state.applications.findByKey(appKey)?.clock ?? 'system');
  const fly = async (attempt: OpenAttempt): Promise<void> => {
    const flight = flights.add(attempt);
    // Time may stand still for the application, but not for who waits.
    const timer = setTimeout(() => {
      if (!isStopped) timeOut(flight, clockMs(attempt.appKey));
    }, timeoutSeconds * 1000);
    try {
      const sent = await sender.send(deliveryRequest(attempt, parts), flight.abort.signal);
      if (!isStopped) land(flight, sent, clockMs(attempt.appKey));
      if ('rest' in sent) await sent.rest;
    } catch (error) {
      console.error('simulator: a delivery failed inside the simulator:', error);
    } finally {
      clearTimeout(timer);
      flights.remove(flight);
    }
  };

  const timeouts: DueWork = {
    nextDueMs: (appKey, afterMs) => flights.nextEndMs(appKey, afterMs, timeoutSeconds * 1000),
    startDue(appKey, nowMs) {
      for (const flight of flights.startedBy(appKey, nowMs - timeoutSeconds * 1000)) timeOut(flight, nowMs);
      return [];
    },
  };
  const attempts: DueWork = {
    nextDueMs: (appKey, afterMs) => state.outbox.nextDueMs(appKey, afterMs),
    startDue(appKey, nowMs) {
      if (isStopped) return [];
      return state.outbox.targetsDue(appKey, nowMs).flatMap((target) => {
        const free = attemptsAtOnce - flights.countOf(target);
        if (free <= 0) return [];
        return state.transaction(() => state.outbox.start(appKey, target, nowMs, free, newDeliveryId)).map(fly);
      });
    },
    async stop() {
      isStopped = true;
      await sender.close();
    },
  };
  // What times out makes room for what is due.
  return [timeouts, attempts];
}

/** Writes down how an attempt ended, and what follows from it. To be called in a transaction. */
function bookEnd(attempt: OpenAttempt, end: AttemptEnd, endedMs: number, { state, rules }: ServiceParts): void {
  const { outbox, webhooks } = state;
  const target = webhooks.byId(attempt.targetId);
  if (!target) throw new Error(`the outbox has no target ${attempt.targetId}`);
  const standing = { progress: outbox.progressOf(attempt.delivery), breaker: target.breaker };
  const { progress, retryMs, breaker } = outcomeOf(attempt, end, endedMs, standing, rules.webhookDelivery);
  outbox.end(attempt.id, endedMs, end);
  outbox.setProgress(attempt.delivery, progress);
  if (retryMs !== undefined) outbox.plan(attempt, 'planned', retryMs);
  if (breaker.isOpen && !target.breaker.isOpen) outbox.hold(target.id);
  webhooks.setBreaker(target.id, breaker);
}
