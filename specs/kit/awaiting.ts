import type { Awaited, Patience } from '../../client/guard/waits.ts';
import { sleepLooking } from '../../targets/halted.ts';
import type { Target } from '../../targets/target.ts';
import type { Exchange } from '../../client/transport.ts';

/** The kinds of things that did not come in time, each with whether one was waited for as long as the setting says. */
export type Missed = ReadonlyMap<Awaited, boolean>;

/** How something is waited for. */
export interface Wait {
  readonly kind: Awaited;
  /** The pause between two looks doubles from the first to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** As long as the run has patience with its kind when absent. */
  readonly seconds?: number;
}

/** What a wait takes from the check that waits. */
interface Waiter {
  readonly isRepetition: boolean;
  missed: Missed;
}

/** Looks again and again until what is seen is as wanted or the patience is at its end; gives what was seen last. */
export async function awaiting<T>(
  { ledger, address, look }: Target,
  waiter: Waiter,
  { kind, firstPauseMs, longestPauseMs, seconds }: Wait,
  see: () => Promise<T> | T,
  isWanted: (seen: T) => boolean,
): Promise<T> {
  const { waits } = ledger.guard;
  const patience: Patience =
    seconds === undefined
      ? waits.patience(kind, address.settleTimeoutSeconds, waiter.isRepetition)
      : { seconds, isFull: true };
  const startMs = Date.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const seen = await see();
    const hasCome = isWanted(seen);
    if (hasCome || Date.now() + pauseMs > startMs + patience.seconds * 1000) {
      if (seconds === undefined) waits.note(kind, { patience, hasCome, ms: Date.now() - startMs });
      if (!hasCome) waiter.missed = withMiss(waiter.missed, kind, patience);
      return seen;
    }
    await sleepLooking(pauseMs, look);
  }
}

function withMiss(missed: Missed, kind: Awaited, { isFull }: Patience): Missed {
  return new Map([...missed, [kind, isFull || (missed.get(kind) ?? false)]]);
}

/** Whether a case missed something that was hardly waited for: then what it found says little. */
export function isHurried(missed: Missed): boolean {
  return [...missed.values()].includes(false);
}

/**
 * Whether what a case found is what a target that is going down shows as well: no answer, a 5xx, something that did not come.
 * A whole answer that is wrong is not.
 */
export function isFrail(exchanges: readonly Exchange[], missed: Missed): boolean {
  return missed.size > 0 || exchanges.some(({ response }) => response === undefined || response.status >= 500);
}
