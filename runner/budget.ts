import { counted, figure } from '../reports/figures.ts';

/** Most requests of a run: room for what a failure costs, which is making it smaller, repeating it, asking its twin, looking for its cause. */
export function budgetFor(planned: number): number {
  return Math.ceil(planned * 1.5) + 400;
}

/** What a run will send, in one line; at most so many requests a second, 0 for no ceiling. */
export function budgetLine(planned: number, maxRps: number): string {
  const minutes = figure(Math.ceil(planned / maxRps / 60));
  const pace = maxRps === 0 ? '' : ` at ${figure(maxRps)} a second, about ${minutes} min`;
  return `About ${counted(planned, 'request')}${pace}; ${figure(budgetFor(planned))} at most.`;
}
