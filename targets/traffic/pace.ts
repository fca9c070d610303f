import { countAt, timeAt, type GuardMemory } from './guard-memory.ts';

/** The pace that a target's limit on the rate imposes on a run, and the patience that the run has with it. */
export interface Pace {
  /**
   * Least microseconds between two requests; 0: as the settings say. `sent` counts the requests of the run. Where nothing was
   * limited for a while, it is half of what it was: the limit may have been a moment's. The while doubles each time that was wrong.
   */
  spacingMicros(sent: number): number;
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
/** Without a limit for so long, a run tries to go faster; and for so many doublings of it at most, where that was wrong. */
const firstQuietMs = 10_000;
const mostRelapses = 6;
/** A request is not held back for less. */
const leastSpacingMicros = 1_000;

/** The time in which nothing was limited. */
interface Quiet {
  begin(): void;
  /** Whether it has lasted long enough to try a faster pace; then it begins anew, for one of those who ask. */
  isOver(): boolean;
  /** Notes that something was limited again: the next time is to last longer. */
  noteBroken(): void;
}

function quietIn({ counts, times }: Pick<GuardMemory, 'counts' | 'times'>): Quiet {
  const since = (): number => Number(Atomics.load(times, timeAt.quiet));
  const begin = (knownMs = since()): boolean =>
    Atomics.compareExchange(times, timeAt.quiet, BigInt(knownMs), BigInt(Date.now())) === BigInt(knownMs);
  return {
    begin: () => void begin(),
    isOver() {
      const sinceMs = since();
      const lastingMs = firstQuietMs * 2 ** Math.min(mostRelapses, Atomics.load(counts, countAt.relapses));
      return Date.now() - sinceMs >= lastingMs && begin(sinceMs);
    },
    noteBroken() {
      const sinceMs = since();
      // Those that were on their way together tell one thing.
      const isAnother = sinceMs > 0 && Date.now() - sinceMs > leastCycleMs;
      if (begin(sinceMs) && isAnother) Atomics.add(counts, countAt.relapses, 1);
    },
  };
}

/** The pace that all who share that memory keep. */
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
  const setSpacing = (micros: number): void =>
    void Atomics.store(counts, countAt.spacingMicros, micros < leastSpacingMicros ? 0 : Math.round(micros));
  const quiet = quietIn({ counts, times });
  const tryFaster = (sent: number): void => {
    const micros = Atomics.load(counts, countAt.spacingMicros);
    if (micros === 0 || !quiet.isOver()) return;
    Atomics.store(times, timeAt.cycle, BigInt(Date.now()));
    Atomics.store(counts, countAt.servedBefore, served(sent));
    setSpacing(micros / 2);
  };
  return {
    spacingMicros(sent) {
      startOfCycle();
      tryFaster(sent);
      return Atomics.load(counts, countAt.spacingMicros);
    },
    noteLimited(isFirst, sent) {
      quiet.noteBroken();
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
      setSpacing(Math.max(1_000_000 / rate, Atomics.load(counts, countAt.spacingMicros)));
      quiet.begin();
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
