import type { OpenAttempt } from '../model/delivery.ts';

/** An attempt whose connection is in use. */
export interface Flight {
  readonly attempt: OpenAttempt;
  readonly abort: AbortController;
  /** Its end is in the books; what is left is an answer's body. */
  hasLanded: boolean;
}

/** The attempts that are under way. */
export interface Flights {
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
export function openFlights(): Flights {
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
