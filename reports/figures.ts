import type { Results } from '../schemas/results.ts';

/** A span of time as people say it: "12 ms", "3.4 s", "2 min 5 s". */
export function duration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`;
}

/** A count with its digits in groups: "12,345". */
export function figure(count: number): string {
  return count.toLocaleString('en-GB');
}

/** A count with its noun: "1 clause", "2 clauses". */
export function counted(count: number, noun: string, nouns = `${noun}s`): string {
  return `${figure(count)} ${count === 1 ? noun : nouns}`;
}

/** A point in time to the second, in UTC; a text that is no time stays as it is. */
export function utc(iso: string): string {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? iso : `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** How many requests a run sent, and how many of them were meant for production. */
export function requestsText({
  requests,
  productionIssuances = 0,
}: Pick<Results, 'requests' | 'productionIssuances'>): string {
  return `${counted(productionIssuances, 'production issuance')} in ${counted(requests, 'request')}`;
}
