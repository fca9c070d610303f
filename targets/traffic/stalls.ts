import { countAt, mostPlaces, type GuardMemory } from './memory.ts';

/**
 * How long the answers of one place of a target are waited for, such as an endpoint, once some of them did not come: an answer
 * that drips is not to hold a run again and again.
 */
export interface Stalls {
  /** Milliseconds that an answer from there is waited for; so many as usual before the first that did not come. */
  patienceMs(place: number, usualMs: number): number;
  /** Notes that an answer from there was not whole in time. */
  noteLate(place: number): void;
  /** Notes how many milliseconds a whole answer took, wherever it came from. */
  noteWhole(ms: number): void;
  /** Whether so many did not come that one more says no less than several. */
  isStalled(place: number): boolean;
}

/** Patience after so many late answers; the last one holds on. A hiccup is to be told from a place that is dead. */
const patiencesMs = [3_000, 1_000] as const;
/** What takes long by habit is waited for so many times as long as the slowest answer. */
const habits = 2;
const stalledFrom = 2;

export function stallsIn({ counts }: GuardMemory): Stalls {
  const slot = (place: number): number => countAt.lateAnswers + (place % mostPlaces);
  const late = (place: number): number => Atomics.load(counts, slot(place));
  return {
    patienceMs(place, usualMs) {
      const known = late(place);
      if (known === 0) return usualMs;
      const leastMs = patiencesMs[Math.min(known, patiencesMs.length) - 1] ?? usualMs;
      return Math.min(usualMs, Math.max(leastMs, habits * Atomics.load(counts, countAt.slowestAnswerMs)));
    },
    noteLate: (place) => void Atomics.add(counts, slot(place), 1),
    noteWhole(ms) {
      // Of two at once the faster one may be kept: the next one mends that.
      if (ms > Atomics.load(counts, countAt.slowestAnswerMs))
        Atomics.store(counts, countAt.slowestAnswerMs, Math.ceil(ms));
    },
    isStalled: (place) => late(place) >= stalledFrom,
  };
}
