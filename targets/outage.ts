import type { Ledger } from './traffic/ledger.ts';
import type { Patience } from './patience.ts';
import { sleepLooking } from './halted.ts';

/** Somebody who found the target gone. */
export interface Finder {
  readonly ledger: Ledger;
  readonly patience: Patience;
  /** Throws where the run goes no further. */
  readonly look: () => void;
  /** Whether the target is there, asked with so many milliseconds of patience. */
  readonly isThere: (withinMs: number) => Promise<boolean>;
}

/** Least patience with a ping: a target that was just started is slow. */
const leastPingMs = 500;
/** Looks once the patience is at its end: a target that is back may be slow, or its network drop a connection. */
const mostLastLooks = 2;
/** A target is not gone that is slow by habit: it has so many times what its answers take on the average. */
const habits = 3;

/** So many milliseconds, or as many as a target needs that is slow by habit. */
export function atLeastHabit({ guard }: Ledger, ms: number): number {
  return Math.max(ms, habits * guard.pace.meanAnswerMs());
}

/**
 * Waits for a target that was found gone at that time (Unix milliseconds), of which all who share the ledger were told; gives
 * whether it was gone at all. Throws a NotExercised where it stays gone: then the run has lost it, and ends.
 */
export async function untilBack(
  { ledger, patience, look, isThere }: Finder,
  foundMs: number,
  cause: string,
): Promise<boolean> {
  const { outages } = ledger.guard;
  let [goneMs, wasGone, lastLooks] = [foundMs, false, mostLastLooks];
  for (;;) {
    look();
    const leftMs = goneMs + patience.goneMs - Date.now();
    const pingMs = Math.max(leastPingMs, Math.min(patience.pingMs, leftMs));
    if (await isThere(atLeastHabit(ledger, pingMs))) break;
    [goneMs, wasGone] = [outages.noteGone(foundMs), true];
    look();
    if (Date.now() >= goneMs + patience.goneMs && lastLooks-- === 0)
      ledger.guard.halt('lost', lostText(goneMs, ledger.sent(), cause));
    look();
    await sleepLooking(patience.betweenPingsMs, look);
  }
  outages.noteBack();
  return wasGone;
}

/** What a report says of a target that was lost at that time (Unix milliseconds). */
function lostText(goneMs: number, sent: number, cause: string): string {
  const at = new Date(goneMs).toISOString().slice(11, 19);
  return `target lost at ${at} UTC after ${sent} requests: ${cause}`;
}
