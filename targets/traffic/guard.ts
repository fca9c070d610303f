/** Shared memory of a guard, as its parts see it. */
interface GuardMemory {
  readonly counts: Int32Array;
  /** Unix milliseconds. */
  readonly times: BigInt64Array;
  readonly text: Uint8Array;
}

/** Kinds of things that are waited for have so many slots beside each other. */
const kinds = 4;
/** Outages whose start is kept: the last ones. */
const mostOutages = 8;

/** Places of a target whose late answers are counted apart. */
export const mostPlaces = 32;

/** Where each number stands among the counts. */
const countAt = {
  haltState: 0,
  haltBytes: 1,
  outages: 2,
  limited: 3,
  limitedRateTenths: 4,
  patienceMs: 5,
  spacingMicros: 6,
  servedBefore: 7,
  answers: 8,
  answersMs: 9,
  fastestAnswerMs: 10,
  waitedInVainMs: 11,
  missedInARow: 12,
  fullWaitsMissed: 12 + kinds,
  slowestAnswerMs: 12 + 2 * kinds,
  promisesMissed: 13 + 2 * kinds,
  lateAnswers: 13 + 3 * kinds,
  relapses: 13 + 3 * kinds + mostPlaces,
} as const;

/** Where each time stands among the times. */
const timeAt = { halt: 0, gone: 1, cycle: 2, quiet: 3, outages: 4 } as const;

const countBytes = 256;
const timeBytes = (timeAt.outages + mostOutages) * BigInt64Array.BYTES_PER_ELEMENT;
const textBytes = 1024;

/** Bytes that a guard takes; they begin at a multiple of 8. */
export const guardBytes = countBytes + timeBytes + textBytes;

/** The memory of the guard that begins there. */
function guardMemory(memory: SharedArrayBuffer, offset: number): GuardMemory {
  return {
    counts: new Int32Array(memory, offset, countBytes / Int32Array.BYTES_PER_ELEMENT),
    times: new BigInt64Array(memory, offset + countBytes, timeBytes / BigInt64Array.BYTES_PER_ELEMENT),
    text: new Uint8Array(memory, offset + countBytes + timeBytes, textBytes),
  };
}

/** Why a run goes no further: what was not judged by then is not exercised. */
const haltKinds = ['lost', 'limited', 'late', 'interrupted'] as const;

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
interface Halting {
  /** Has everything end that is not done yet; the first halt stands. */
  halt(kind: HaltKind, reason: string): void;
  halted(): Halt | undefined;
}

const none = 0;
const beingWritten = -1;

function haltingIn({ counts, times, text }: GuardMemory): Halting {
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

/** Whether the target is there, as whoever sends has found. */
interface Outages {
  /** Notes that nobody answers from that time on (Unix milliseconds); gives since when, by whoever noticed first. */
  noteGone(sinceMs: number): number;
  noteBack(): void;
  /** When the last few outages began, in Unix milliseconds. */
  startsMs(): readonly number[];
}

function outagesIn({ counts, times }: GuardMemory): Outages {
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

/** The pace that a target's limit on the rate imposes on a run, and the patience that the run has with it. */
interface Pace {
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

function paceIn({ counts, times }: GuardMemory): Pace {
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

function stallsIn({ counts }: GuardMemory): Stalls {
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

/** What comes some time after the request that it belongs to. */
const awaitedKinds = ['settlement', 'cancellation', 'delivery', 'verdict'] as const;

export type Awaited = (typeof awaitedKinds)[number];

/** How long something may be waited for. */
export interface Patience {
  readonly seconds: number;
  /** Whether that is as long as the setting says: what did not come in less time may still come. */
  readonly isFull: boolean;
  /** Set where it is waited in full for what a clause promises, whatever else was waited in vain. */
  readonly isPromised?: true;
}

/** Who waits. */
interface Waiter {
  /** Whether the check has failed before. */
  readonly isRepetition: boolean;
  /** Whether the clause of the check says that it comes: then that is not told by a second. */
  readonly isPromised?: boolean;
}

/** How a wait ended. */
interface Waited {
  readonly patience: Patience;
  readonly hasCome: boolean;
  readonly ms: number;
}

/** The patience of a whole run with what comes later, so that what never comes costs one wait and not one a check. */
interface Waits {
  /**
   * How long something of that kind is waited for, where the setting allows so many seconds: once one did not come, the next
   * ones are hardly waited for until one comes. That gives the long patience back once, and so does the repetition of a
   * failure. What was waited in vain, of all kinds together, is no more than three times the setting. The checks of a clause which
   * says that something of that kind comes have three whole waits of their own for it, so that others can't use them up.
   */
  patience(kind: Awaited, settingSeconds: number, waiter: Waiter): Patience;
  note(kind: Awaited, waited: Waited): void;
}

const hastySeconds = 1;
const mostFullWaitsMissed = 2;
/** A failure and the two repetitions that it takes to tell it from the network's. */
const mostPromisesMissed = 3;
/** All that is waited in vain, in settings. */
const mostInVain = 3;

function waitsIn({ counts }: GuardMemory): Waits {
  const slot = (base: number, kind: Awaited): number => base + awaitedKinds.indexOf(kind);
  return {
    patience(kind, settingSeconds, { isRepetition, isPromised = false }) {
      if (isPromised && Atomics.load(counts, slot(countAt.promisesMissed, kind)) < mostPromisesMissed)
        return { seconds: settingSeconds, isFull: true, isPromised };
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
      if (patience.isPromised) return void Atomics.add(counts, slot(countAt.promisesMissed, kind), 1);
      if (patience.isFull) Atomics.add(counts, slot(countAt.fullWaitsMissed, kind), 1);
      Atomics.add(counts, countAt.waitedInVainMs, Math.round(ms));
    },
  };
}

/** What keeps a run within bounds when its target dies, slows down or limits it in the middle; all threads share it. */
export interface Guard extends Halting {
  readonly outages: Outages;
  readonly pace: Pace;
  readonly stalls: Stalls;
  readonly waits: Waits;
}

/** The guard in that part of the memory. */
export function openGuard(memory: SharedArrayBuffer, offset: number): Guard {
  const shared = guardMemory(memory, offset);
  return {
    ...haltingIn(shared),
    outages: outagesIn(shared),
    pace: paceIn(shared),
    stalls: stallsIn(shared),
    waits: waitsIn(shared),
  };
}
