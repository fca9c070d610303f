import type { Tally } from './tally.ts';

/** The part of the planned requests after which their time so far foretells the rest, where no pace does. */
const tellingRequestsShare = 0.25;

/**
 * About how many milliseconds a run still takes; `undefined` while that is not known, or when it takes longer than it was
 * thought to. The pace (requests a second, 0: none) counts for what is to come as long as little has been done; then what
 * was seen counts, waits and failures included. It is reckoned when a check ends, and from then on runs down.
 */
export function timeLeftMs(tally: Tally, elapsedMs: number, maxRps: number): number | undefined {
  if (tally.files.length === 0 || !tally.files.every((file) => tally.readFiles.has(file))) return undefined;
  const planned = [...tally.checks.values()];
  const all = sumOf(planned);
  const done = sumOf(planned.filter(({ id }) => tally.ended.has(id)));
  const perRequest = msPerRequest(done, all, tally.lastEndedMs, maxRps);
  if (perRequest === undefined) return undefined;
  const left = (all - done) * perRequest - (elapsedMs - tally.lastEndedMs);
  return left > 0 ? left : undefined;
}

function msPerRequest(done: number, all: number, lastEndedMs: number, maxRps: number): number | undefined {
  const share = all === 0 ? 0 : done / all;
  if (maxRps > 0) return (1 - share) * (1000 / maxRps) + (done === 0 ? 0 : share * (lastEndedMs / done));
  return share < tellingRequestsShare ? undefined : lastEndedMs / done;
}

function sumOf(checks: readonly { readonly requests: number }[]): number {
  return checks.reduce((sum, { requests }) => sum + requests, 0);
}
