import { nowMs, type AttemptEnd, type OpenAttempt, type Breaker, type Progress } from '../model.ts';
import type { ServiceParts } from '../service.ts';
import type { DueWork } from '../timeline.ts';
import { deliveryRequest } from './events.ts';
import type { WebhookDeliveryRules } from '../rules/webhook-delivery.ts';

/** How many attempts at one target are under way at once: a slow receiver holds up its own deliveries only. */
export const attemptsAtOnce = 8;

/** Sends what the outbox says is due, and ends attempts whose time is over on their application's clock. Section 6. */
export function deliveries(parts: ServiceParts): readonly DueWork[] {
  const { state, rules, sender } = parts;
  const { timeoutSeconds, newDeliveryId } = rules.webhookDelivery;
  const sending = new Sending(parts);
  const { flights } = sending;
  const timeouts: DueWork = {
    nextDueMs: (appKey, afterMs) => flights.nextEndMs(appKey, afterMs, timeoutSeconds * 1000),
    startDue(appKey, nowMs) {
      for (const flight of flights.startedBy(appKey, nowMs - timeoutSeconds * 1000)) sending.timeOut(flight, nowMs);
      return [];
    },
  };
  const attempts: DueWork = {
    nextDueMs: (appKey, afterMs) => state.outbox.nextDueMs(appKey, afterMs),
    startDue(appKey, nowMs) {
      if (sending.isStopped) return [];
      return state.outbox.targetsDue(appKey, nowMs).flatMap((target) => {
        const free = attemptsAtOnce - flights.countOf(target);
        if (free <= 0) return [];
        const started = state.transaction(() => state.outbox.start(appKey, target, nowMs, free, newDeliveryId));
        return started.map((attempt) => sending.fly(attempt));
      });
    },
    async stop() {
      sending.isStopped = true;
      await sender.close();
    },
  };
  // What times out makes room for what is due.
  return [timeouts, attempts];
}

/** The attempts that are under way. */
class Sending {
  readonly flights = openFlights();
  /** From then on no end is booked: the next start sends again what was under way. */
  isStopped = false;
  readonly #parts: ServiceParts;

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Makes an attempt, until it has ended or its time is over. */
  async fly(attempt: OpenAttempt): Promise<void> {
    const { sender, rules } = this.#parts;
    const flight = this.flights.add(attempt);
    // Time may stand still for the application, but not for who waits.
    const timer = setTimeout(() => {
      if (!this.isStopped) this.timeOut(flight, this.#clockMs(attempt));
    }, rules.webhookDelivery.realTimeoutSeconds * 1000);
    try {
      const sent = await sender.send(deliveryRequest(attempt, this.#parts), flight.abort.signal);
      if (!this.isStopped) this.#land(flight, sent, this.#clockMs(attempt));
      if ('rest' in sent) await sent.rest;
    } catch (error) {
      console.error('simulator: a delivery failed inside the simulator:', error);
    } finally {
      clearTimeout(timer);
      this.flights.remove(flight);
    }
  }

  timeOut(flight: Flight, endedMs: number): void {
    const error = `no answer within ${this.#parts.rules.webhookDelivery.timeoutSeconds} seconds`;
    this.#land(flight, { error }, endedMs);
    flight.abort.abort(new Error(error));
    this.flights.remove(flight);
  }

  /** Books the end of an attempt, once. */
  #land(flight: Flight, end: AttemptEnd, endedMs: number): void {
    if (flight.hasLanded || this.isStopped) return;
    flight.hasLanded = true;
    this.#parts.state.transaction(() => bookEnd(flight.attempt, end, endedMs, this.#parts));
  }

  #clockMs({ appKey }: OpenAttempt): number {
    return nowMs(this.#parts.state.applications.findByKey(appKey)?.clock ?? 'system');
  }
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

/** An attempt whose connection is in use. */
interface Flight {
  readonly attempt: OpenAttempt;
  readonly abort: AbortController;
  /** Its end is in the books; what is left is an answer's body. */
  hasLanded: boolean;
}

/** The attempts that are under way. */
interface Flights {
  add(attempt: OpenAttempt): Flight;
  /** Does nothing for one that was removed before. */
  remove(flight: Flight): void;
  countOf(targetId: number): number;
  /** Those of an application that have no end yet and started at that time or before. Unix milliseconds. */
  startedBy(appKey: string, startedMs: number): Flight[];
  /** When the first of them is over that started later than `lastsMs` before that time. */
  nextEndMs(appKey: string, afterMs: number, lastsMs: number): number | undefined;
}

/** None is under way yet. */
function openFlights(): Flights {
  const byApplication = new Map<string, Set<Flight>>();
  const counts = new Map<number, number>();
  const count = (targetId: number, more: 1 | -1): void => {
    const after = (counts.get(targetId) ?? 0) + more;
    if (after === 0) counts.delete(targetId);
    else counts.set(targetId, after);
  };
  const open = (appKey: string): Flight[] => [...(byApplication.get(appKey) ?? [])].filter((one) => !one.hasLanded);
  return {
    add(attempt) {
      const flight = { attempt, abort: new AbortController(), hasLanded: false };
      byApplication.set(attempt.appKey, (byApplication.get(attempt.appKey) ?? new Set()).add(flight));
      count(attempt.targetId, 1);
      return flight;
    },
    remove(flight) {
      const { appKey, targetId } = flight.attempt;
      const flights = byApplication.get(appKey);
      if (!flights?.delete(flight)) return;
      if (flights.size === 0) byApplication.delete(appKey);
      count(targetId, -1);
    },
    countOf: (targetId) => counts.get(targetId) ?? 0,
    startedBy: (appKey, startedMs) => open(appKey).filter(({ attempt }) => attempt.startedMs <= startedMs),
    nextEndMs(appKey, afterMs, lastsMs) {
      const ends = open(appKey).map(({ attempt }) => attempt.startedMs + lastsMs);
      const later = ends.filter((end) => end > afterMs);
      return later.length === 0 ? undefined : Math.min(...later);
    },
  };
}

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
