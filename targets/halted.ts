import { setTimeout as sleep } from 'node:timers/promises';
import type { HaltKind } from './traffic/halt.ts';
import type { Ledger } from './traffic/ledger.ts';
import type { Trouble } from '../contract/trouble.ts';
import type { Traffic } from './address.ts';
import { NotExercised } from './not-exercised.ts';

/** Whose trouble it is that a run ended before its time. */
export const troubleOfHalt: Readonly<Record<HaltKind, Trouble>> = {
  lost: 'network',
  limited: 'settings',
  late: 'target',
  interrupted: 'settings',
};

/** Throws a NotExercised once the run goes no further: for what was noted, or since its time is up. */
export function refuseWhenHalted(ledger: Ledger, { deadline }: Traffic): void {
  if (deadline && Date.now() > deadline.atMs) ledger.guard.halt('late', lateText(deadline, ledger.sent()));
  const halt = ledger.guard.halted();
  if (halt) throw new NotExercised(halt.reason, troubleOfHalt[halt.kind]);
}

function lateText({ announcedMinutes, atMs }: NonNullable<Traffic['deadline']>, sent: number): string {
  const seconds = announcedMinutes * 2 * 60 + Math.max(0, Date.now() - atMs) / 1000;
  const rate = Math.max(0.1, Math.floor((sent / seconds) * 10) / 10);
  return `the run took twice as long as announced (${announcedMinutes} min): set NFE_MAX_RPS to ${rate}, which is what it came to, or NFE_NUM_RUNS lower`;
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
