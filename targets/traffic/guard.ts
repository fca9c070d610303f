import { countAt, guardMemory, mostOutages, mostPlaces, timeAt, type GuardMemory } from './guard-memory.ts';
import { Pace } from './pace.ts';

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
  /** Notes milliseconds that something did not come in; those of a wait that it came in are taken back. */
  pass(ms: number): void;
  /** Milliseconds that were waited, of all waits together, for what did not come or has not come yet. */
  pendingMs(): number;
  /** Notes milliseconds that a check which is made in turn has waited for what came then: nothing else was done meanwhile. */
  noteCameInTurn(ms: number): void;
  cameInTurnMs(): number;
  /** Notes how many milliseconds an invoice waits for its outcome, as was found before the first check. */
  noteSettlement(ms: number): void;
  /** 0 where that is not known. */
  settlementMs(): number;
  /** Notes that no excuse was found for deliveries that stay away: that is sought once in a run, since it takes some whole waits. */
  noteInexcusable(): void;
  isInexcusable(): boolean;
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
    pass: (ms) => void Atomics.add(counts, countAt.pendingMs, Math.round(ms)),
    pendingMs: () => Atomics.load(counts, countAt.pendingMs),
    noteCameInTurn: (ms) => void Atomics.add(counts, countAt.cameInTurnMs, Math.round(ms)),
    cameInTurnMs: () => Atomics.load(counts, countAt.cameInTurnMs),
    noteSettlement: (ms) => void Atomics.store(counts, countAt.settlementMs, Math.round(ms)),
    settlementMs: () => Atomics.load(counts, countAt.settlementMs),
    noteInexcusable: () => void Atomics.store(counts, countAt.excusesSought, 1),
    isInexcusable: () => Atomics.load(counts, countAt.excusesSought) > 0,
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
    pace: new Pace(shared),
    stalls: stallsIn(shared),
    waits: waitsIn(shared),
  };
}
