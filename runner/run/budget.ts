import { counted, figure } from '../../reports/language.ts';
import type { Deadline } from '../../targets/address.ts';

/** Requests of a run that are asked again to see which of several nodes breaks a rule. */
export const mostAgain = 300;

/** Most requests of a run: room for what a failure costs, which is making it smaller, repeating it, asking its twin, looking for its cause, and at which node it is. */
export function roomFor(planned: number): number {
  return Math.ceil(planned * 1.5) + 400 + mostAgain;
}

/**
 * How long a run will take, in whole minutes: by the ceiling on requests a second, or by what an answer takes if that is longer,
 * and with what is waited for in real time.
 */
export function announcedMinutes(planned: number, maxRps: number, answerMs: number, waitSeconds = 0): number {
  return Math.ceil((planned * Math.max(1000 / maxRps, answerMs) + waitSeconds * 1000) / 60_000);
}

/** What a run will send, in one line; at most so many requests a second, 0 for no ceiling. */
export function budgetLine(planned: number, maxRps: number, answerMs = 0, waitSeconds = 0): string {
  const minutes = figure(announcedMinutes(planned, maxRps, answerMs, waitSeconds));
  const pace = maxRps === 0 ? '' : ` at ${figure(maxRps)} a second, about ${minutes} min`;
  return `About ${counted(planned, 'request')}${pace}; ${figure(roomFor(planned))} at most.`;
}

/** When a run that begins now has taken twice as long as announced; none where no duration was. */
export function deadlineOf(planned: number, maxRps: number, answerMs: number, waitSeconds = 0): Deadline | undefined {
  if (maxRps === 0) return undefined;
  const minutes = Math.max(1, announcedMinutes(planned, maxRps, answerMs, waitSeconds));
  return { announcedMinutes: minutes, atMs: Date.now() + 2 * minutes * 60_000 };
}
