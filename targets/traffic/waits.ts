import { countAt, type GuardMemory } from './memory.ts';

/** What comes some time after the request that it belongs to. */
const awaitedKinds = ['settlement', 'cancellation', 'delivery', 'verdict'] as const;

export type Awaited = (typeof awaitedKinds)[number];

/** How long something may be waited for. */
export interface Patience {
  readonly seconds: number;
  /** Whether that is as long as the setting says: what did not come in less time may still come. */
  readonly isFull: boolean;
}

/** How a wait ended. */
export interface Waited {
  readonly patience: Patience;
  readonly hasCome: boolean;
  readonly ms: number;
}

/** The patience of a whole run with what comes later, so that what never comes costs one wait and not one a check. */
export interface Waits {
  /**
   * How long something of that kind is waited for, where the setting allows so many seconds: once one did not come, the next
   * ones are hardly waited for until one comes. That gives the long patience back once, and so does the repetition of a
   * failure. What was waited in vain, of all kinds together, is no more than three times the setting.
   */
  patience(kind: Awaited, settingSeconds: number, isRepetition: boolean): Patience;
  note(kind: Awaited, waited: Waited): void;
}

const hastySeconds = 1;
const mostFullWaitsMissed = 2;
/** All that is waited in vain, in settings. */
const mostInVain = 3;

export function waitsIn({ counts }: GuardMemory): Waits {
  const slot = (base: number, kind: Awaited): number => base + awaitedKinds.indexOf(kind);
  return {
    patience(kind, settingSeconds, isRepetition) {
      const isMissing = Atomics.load(counts, slot(countAt.missedInARow, kind)) > 0 && !isRepetition;
      const isSpent = Atomics.load(counts, slot(countAt.fullWaitsMissed, kind)) >= mostFullWaitsMissed;
      const wished = isMissing || isSpent ? Math.min(hastySeconds, settingSeconds) : settingSeconds;
      const leftSeconds = mostInVain * settingSeconds - Atomics.load(counts, countAt.waitedInVainMs) / 1000;
      const seconds = Math.max(0, Math.min(wished, leftSeconds));
      return { seconds, isFull: seconds >= settingSeconds };
    },
    note(kind, { patience, hasCome, ms }) {
      if (hasCome) {
        Atomics.store(counts, slot(countAt.missedInARow, kind), 0);
        return;
      }
      Atomics.add(counts, slot(countAt.missedInARow, kind), 1);
      if (patience.isFull) Atomics.add(counts, slot(countAt.fullWaitsMissed, kind), 1);
      Atomics.add(counts, countAt.waitedInVainMs, Math.round(ms));
    },
  };
}
