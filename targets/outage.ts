import { setTimeout as sleep } from 'node:timers/promises';
import type { Trouble } from '../contract/values.ts';
import type { Deadline, Patience, Traffic } from './address.ts';
import { NotExercised } from './not-exercised.ts';
import type { HaltKind } from './traffic/guard.ts';
import type { Ledger } from './traffic/ledger.ts';

/** Whose trouble it is that a run ended before its time. */
export const troubleOfHalt: Readonly<Record<HaltKind, Trouble>> = {
  lost: 'network',
  limited: 'settings',
  late: 'target',
  interrupted: 'settings',
};

/**
 * Throws a NotExercised once the run goes no further: for what was noted, or since its time is up. What it waits for is bounded by
 * its patience and is no matter of its pace, so that it is given on top: else what never comes, or takes its time, would end it unjudged.
 */
export function refuseWhenHalted(ledger: Ledger, { deadline }: Traffic): void {
  const { guard } = ledger;
  if (deadline && Date.now() > endMs(deadline, ledger)) guard.halt('late', lateText(deadline, ledger));
  const halt = guard.halted();
  if (halt) throw new NotExercised(halt.reason, troubleOfHalt[halt.kind]);
}

function endMs({ atMs }: Deadline, { guard: { waits } }: Ledger): number {
  return atMs + waits.pendingMs() + waits.cameInTurnMs();
}

function lateText(deadline: Deadline, ledger: Ledger): string {
  const { announcedMinutes, takenMinutes } = deadline;
  const seconds = takenMinutes * 60 + Math.max(0, Date.now() - endMs(deadline, ledger)) / 1000;
  const rate = Math.max(0.1, Math.floor((ledger.sent() / seconds) * 10) / 10);
  return `the run took ${takenMinutes} min, and ${announcedMinutes} were announced: set NFE_MAX_RPS to ${rate}, which is what it came to, or NFE_NUM_RUNS lower`;
}

/** How often a wait looks whether it is still worth while. */
const lookMs = 200;

/** Sleeps, but no longer than `look` lets it pass without throwing. */
export async function sleepLooking(ms: number, look: () => void): Promise<void> {
  const untilMs = Date.now() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = untilMs - Date.now()) {
    await sleep(Math.min(leftMs, lookMs));
    look();
  }
}

/** Somebody who found the target gone. */
export interface Finder {
  readonly ledger: Ledger;
  readonly patience: Patience;
  /** Throws where the run goes no further. */
  readonly look: () => void;
  /**
   * Whether the target is there, asked with so many milliseconds of patience; where it is not, but says when it will be, in how many
   * milliseconds.
   */
  readonly isThere: (withinMs: number) => Promise<boolean | BackIn>;
}

/** In how many milliseconds whoever answers for a target says that it is back. */
interface BackIn {
  readonly backInMs: number;
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
  let [goneMs, wasGone, lastLooks, saidMs] = [foundMs, false, mostLastLooks, 0];
  const untilMs = (): number => Math.max(goneMs + patience.goneMs, Math.min(saidMs, goneMs + patience.saidMs));
  for (;;) {
    look();
    const pingMs = Math.max(leastPingMs, Math.min(patience.pingMs, untilMs() - Date.now()));
    const found = await isThere(atLeastHabit(ledger, pingMs));
    if (found === true) break;
    if (found && saidMs === 0) saidMs = Date.now() + found.backInMs;
    [goneMs, wasGone] = [outages.noteGone(foundMs), true];
    look();
    if (Date.now() >= untilMs() && lastLooks-- === 0) ledger.guard.halt('lost', lostText(goneMs, ledger.sent(), cause));
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
