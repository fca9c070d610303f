import type { Application } from '../model/application.ts';
import type { VerdictEventRules } from '../rules/verdict-event.ts';
import type { ServiceParts } from '../service.ts';
import { queueEvent } from './queue.ts';

/** Tells an application a verdict that settled at that time. To be called in a transaction; a touch of the timeline sends it. */
export function queueVerdictEvent(application: Application, verdict: object, atMs: number, parts: ServiceParts): void {
  const { appKey } = application;
  const { eventType, data } = parts.rules.verdictEvent;
  queueEvent('verification', { appKey, eventType, createdMs: atMs }, parts, (eventId) =>
    verdictBody(eventId, eventType, data(verdict), atMs, parts.rules.verdictEvent),
  );
}

/** The body of an event of the verification channel. Section 6.6. */
export function verdictBody(
  eventId: string,
  eventType: string,
  data: object,
  atMs: number,
  { version, time, body }: VerdictEventRules,
): unknown {
  return body({ version, event_id: eventId, event_type: eventType, occurred_at: time(atMs), data });
}
