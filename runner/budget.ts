import { counted, figure } from '../reports/figures.ts';

/** Most requests of a run: room for what a failure costs, which is making it smaller, repeating it, asking its twin, looking for its cause. */
export function budgetFor(planned: number): number {
  return Math.ceil(planned * 1.5) + 400;
}

/** What a run will send, in one line; at most so many requests a second, 0 for no ceiling. */
export function budgetLine(planned: number, maxRps: number, latencyMs = 0, waitSeconds = 0): string {
  const seconds = durationSeconds(planned, maxRps, latencyMs, waitSeconds);
  const pace = maxRps === 0 ? '' : ` at ${figure(maxRps)} a second`;
  const duration = seconds === 0 ? '' : `, about ${figure(Math.ceil(seconds / 60))} min`;
  return `About ${counted(planned, 'request')}${pace}${duration}; ${figure(budgetFor(planned))} at most.`;
}

/**
 * How long a run of so many requests takes, in seconds: at most so many a second (0: no ceiling), never faster than the target
 * answers, and with what is waited for in real time. 0 where nothing is known.
 */
export function durationSeconds(planned: number, maxRps: number, latencyMs: number, waitSeconds: number): number {
  const perRequest = Math.max(maxRps === 0 ? 0 : 1 / maxRps, latencyMs / 1000);
  return planned * perRequest + waitSeconds;
}
