import { countAt, timeAt, type GuardMemory } from './memory.ts';

/** The pace that a target's limit on the rate imposes on a run, and the patience that the run has with it. */
export interface Pace {
  /** Least microseconds between two requests; 0: as the settings say. */
  spacingMicros(): number;
  /** Notes a 429 that nobody asked for, as the first of its request or not; `sent` counts the requests of the run. */
  noteLimited(isFirst: boolean, sent: number): void;
  /** Requests a second that were sent until the first such 429, one decimal. */
  rateWhenLimited(): number;
  /** Takes so many milliseconds of the patience of the whole run; `false`, and none taken, where so many are not left. */
  takePatience(ms: number, mostMs: number): boolean;
  /**
   * Notes that the target serves requests again: from now on they go out a little slower than it has served them on the
   * average since the last such moment, waits included.
   */
  noteServedAgain(sent: number): void;
  /** Notes how many milliseconds an answer took. */
  noteAnswer(ms: number): void;
  /** The same on the average; 0 before the first. */
  meanAnswerMs(): number;
  /** The same of the fastest one; 0 before a few have come, since the first ones are slow for reasons of their own. */
  fastestAnswerMs(): number;
}

/** Share of the rate that a target has served that it is sent from then on. */
const cautiousShare = 0.9;
const slowestRps = 0.2;
const fewAnswers = 3;
/** Of a shorter time no average is taken: several requests may be served again at once. */
const leastCycleMs = 500;

export function paceIn({ counts, times }: GuardMemory): Pace {
  const startOfCycle = (): number => {
    const nowMs = BigInt(Date.now());
    const known = Atomics.compareExchange(times, timeAt.cycle, 0n, nowMs);
    return Number(known === 0n ? nowMs : known);
  };
  const served = (sent: number): number => sent - Atomics.load(counts, countAt.limited);
  const rps = (requests: number, sinceMs: number): number =>
    requests / (Math.max(leastCycleMs, Date.now() - sinceMs) / 1000);
  const servedInCycle = (sent: number): number => served(sent) - Atomics.load(counts, countAt.servedBefore);
  return {
    spacingMicros() {
      startOfCycle();
      return Atomics.load(counts, countAt.spacingMicros);
    },
    noteLimited(isFirst, sent) {
      const tenths = Math.max(1, Math.round(rps(servedInCycle(sent), startOfCycle()) * 10));
      if (isFirst) Atomics.compareExchange(counts, countAt.limitedRateTenths, 0, tenths);
      Atomics.add(counts, countAt.limited, 1);
    },
    rateWhenLimited: () => Atomics.load(counts, countAt.limitedRateTenths) / 10,
    takePatience(ms, mostMs) {
      const before = Atomics.add(counts, countAt.patienceMs, Math.ceil(ms));
      if (before + ms <= mostMs) return true;
      Atomics.sub(counts, countAt.patienceMs, Math.ceil(ms));
      return false;
    },
    noteServedAgain(sent) {
      const sinceMs = startOfCycle();
      const nowMs = Date.now();
      if (nowMs - sinceMs < leastCycleMs) return;
      if (Atomics.compareExchange(times, timeAt.cycle, BigInt(sinceMs), BigInt(nowMs)) !== BigInt(sinceMs)) return;
      const rate = Math.max(slowestRps, rps(servedInCycle(sent), sinceMs) * cautiousShare);
      Atomics.store(counts, countAt.servedBefore, served(sent));
      const spacing = Math.max(Math.round(1_000_000 / rate), Atomics.load(counts, countAt.spacingMicros));
      Atomics.store(counts, countAt.spacingMicros, spacing);
    },
    noteAnswer(ms) {
      Atomics.add(counts, countAt.answers, 1);
      Atomics.add(counts, countAt.answersMs, Math.round(ms));
      const fastest = Atomics.load(counts, countAt.fastestAnswerMs);
      // Of two at once the slower one may be kept: the next one mends that.
      if (fastest === 0 || ms < fastest) Atomics.store(counts, countAt.fastestAnswerMs, Math.ceil(ms));
    },
    meanAnswerMs: () => Atomics.load(counts, countAt.answersMs) / Math.max(1, Atomics.load(counts, countAt.answers)),
    fastestAnswerMs: () =>
      Atomics.load(counts, countAt.answers) < fewAnswers ? 0 : Atomics.load(counts, countAt.fastestAnswerMs),
  };
}
