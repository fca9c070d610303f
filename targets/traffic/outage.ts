import { countAt, mostOutages, timeAt, type GuardMemory } from './memory.ts';

/** Whether the target is there, as whoever sends has found. */
export interface Outages {
  /** Notes that nobody answers from that time on (Unix milliseconds); gives since when, by whoever noticed first. */
  noteGone(sinceMs: number): number;
  noteBack(): void;
  /** When the last few outages began, in Unix milliseconds. */
  startsMs(): readonly number[];
}

export function outagesIn({ counts, times }: GuardMemory): Outages {
  return {
    noteGone(sinceMs) {
      const known = Atomics.compareExchange(times, timeAt.gone, 0n, BigInt(sinceMs));
      if (known !== 0n) return Number(known);
      const count = Atomics.add(counts, countAt.outages, 1);
      Atomics.store(times, timeAt.outages + (count % mostOutages), BigInt(sinceMs));
      return sinceMs;
    },
    noteBack: () => void Atomics.store(times, timeAt.gone, 0n),
    startsMs: () =>
      Array.from({ length: Math.min(Atomics.load(counts, countAt.outages), mostOutages) }, (_, at) =>
        Number(Atomics.load(times, timeAt.outages + at)),
      ),
  };
}
