import { countAt, timeAt, type GuardMemory } from './memory.ts';

/** Why a run goes no further: what was not judged by then is not exercised. */
export const haltKinds = ['lost', 'limited', 'late', 'interrupted'] as const;

export type HaltKind = (typeof haltKinds)[number];

/** The end of a run before its time. */
export interface Halt {
  readonly kind: HaltKind;
  /** One sentence, the reason of every clause that is not exercised for it. */
  readonly reason: string;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Ends a run before its time, for all threads at once. */
export interface Halting {
  /** Has everything end that is not done yet; the first halt stands. */
  halt(kind: HaltKind, reason: string): void;
  halted(): Halt | undefined;
}

const none = 0;
const beingWritten = -1;

export function haltingIn({ counts, times, text }: GuardMemory): Halting {
  return {
    halt(kind, reason) {
      if (Atomics.compareExchange(counts, countAt.haltState, none, beingWritten) !== none) return;
      const bytes = Buffer.from(reason).subarray(0, text.length);
      text.set(bytes);
      Atomics.store(counts, countAt.haltBytes, bytes.length);
      Atomics.store(times, timeAt.halt, BigInt(Date.now()));
      Atomics.store(counts, countAt.haltState, haltKinds.indexOf(kind) + 1);
    },
    halted() {
      const kind = haltKinds[Atomics.load(counts, countAt.haltState) - 1];
      if (kind === undefined) return undefined;
      const bytes = text.slice(0, Atomics.load(counts, countAt.haltBytes));
      return { kind, reason: Buffer.from(bytes).toString('utf8'), atMs: Number(Atomics.load(times, timeAt.halt)) };
    },
  };
}
