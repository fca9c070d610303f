import { countAt, timeAt, type GuardMemory } from './guard-memory.ts';

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

/**
 * The pace that a target's limit on the rate imposes on a run, and the patience that the run has with it: one for all who share that
 * memory. `sent` counts the requests of the run.
 */
export class Pace {
  readonly #counts: GuardMemory['counts'];
  readonly #times: GuardMemory['times'];
  readonly #quiet: Quiet;

  constructor({ counts, times }: GuardMemory) {
    this.#counts = counts;
    this.#times = times;
    this.#quiet = quietIn({ counts, times });
  }

  /**
   * Least microseconds between two requests; 0: as the settings say. Where nothing was limited for a while, it is half of what it was:
   * the limit may have been a moment's. The while doubles each time that was wrong.
   */
  spacingMicros(sent: number): number {
    this.#startOfCycle();
    const micros = this.#count('spacingMicros');
    if (micros > 0 && this.#quiet.isOver()) {
      Atomics.store(this.#times, timeAt.cycle, BigInt(Date.now()));
      Atomics.store(this.#counts, countAt.servedBefore, this.#served(sent));
      this.#setSpacing(micros / 2);
    }
    return this.#count('spacingMicros');
  }

  /** Notes a 429 that nobody asked for, as the first of its request or not. */
  noteLimited(isFirst: boolean, sent: number): void {
    this.#quiet.noteBroken();
    const tenths = Math.max(1, Math.round(this.#rps(sent, this.#startOfCycle()) * 10));
    if (isFirst) Atomics.compareExchange(this.#counts, countAt.limitedRateTenths, 0, tenths);
    Atomics.add(this.#counts, countAt.limited, 1);
  }

  /** Requests a second that were sent until the first such 429, one decimal. */
  rateWhenLimited(): number {
    return this.#count('limitedRateTenths') / 10;
  }

  /** Takes so many milliseconds of the patience of the whole run; `false`, and none taken, where so many are not left. */
  takePatience(ms: number, mostMs: number): boolean {
    const before = Atomics.add(this.#counts, countAt.patienceMs, Math.ceil(ms));
    if (before + ms <= mostMs) return true;
    Atomics.sub(this.#counts, countAt.patienceMs, Math.ceil(ms));
    return false;
  }

  /**
   * Notes that the target serves requests again: from now on they go out a little slower than it has served them on the
   * average since the last such moment, waits included.
   */
  noteServedAgain(sent: number): void {
    const sinceMs = this.#startOfCycle();
    const nowMs = Date.now();
    if (nowMs - sinceMs < leastCycleMs) return;
    const [since, now] = [BigInt(sinceMs), BigInt(nowMs)];
    if (Atomics.compareExchange(this.#times, timeAt.cycle, since, now) !== since) return;
    const rate = Math.max(slowestRps, this.#rps(sent, sinceMs) * cautiousShare);
    Atomics.store(this.#counts, countAt.servedBefore, this.#served(sent));
    this.#setSpacing(Math.max(1_000_000 / rate, this.#count('spacingMicros')));
    this.#quiet.begin();
  }

  /** Notes how many milliseconds an answer took. */
  noteAnswer(ms: number): void {
    Atomics.add(this.#counts, countAt.answers, 1);
    Atomics.add(this.#counts, countAt.answersMs, Math.round(ms));
    const fastest = this.#count('fastestAnswerMs');
    // Of two at once the slower one may be kept: the next one mends that.
    if (fastest === 0 || ms < fastest) Atomics.store(this.#counts, countAt.fastestAnswerMs, Math.ceil(ms));
  }

  /** The same on the average; 0 before the first. */
  meanAnswerMs(): number {
    return this.#count('answersMs') / Math.max(1, this.#count('answers'));
  }

  /** The same of the fastest one; 0 before a few have come, since the first ones are slow for reasons of their own. */
  fastestAnswerMs(): number {
    return this.#count('answers') < fewAnswers ? 0 : this.#count('fastestAnswerMs');
  }

  #count(name: keyof typeof countAt): number {
    return Atomics.load(this.#counts, countAt[name]);
  }

  /** When the requests began that a rate is reckoned from. */
  #startOfCycle(): number {
    const nowMs = BigInt(Date.now());
    const known = Atomics.compareExchange(this.#times, timeAt.cycle, 0n, nowMs);
    return Number(known === 0n ? nowMs : known);
  }

  #served(sent: number): number {
    return sent - this.#count('limited');
  }

  /** Requests a second that were served since the cycle began. */
  #rps(sent: number, sinceMs: number): number {
    const served = this.#served(sent) - this.#count('servedBefore');
    return served / (Math.max(leastCycleMs, Date.now() - sinceMs) / 1000);
  }

  #setSpacing(micros: number): void {
    Atomics.store(this.#counts, countAt.spacingMicros, micros < leastSpacingMicros ? 0 : Math.round(micros));
  }
}
