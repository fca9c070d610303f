import { nowMs } from './model.ts';
import type { ApplicationStore } from './state/applications.ts';
import { storageFailure } from './state/rows.ts';

/** Something that becomes due on an application's clock, such as settlements and deliveries. */
export interface DueWork {
  /** The earliest time after that one at which something of the application is due; `undefined` when nothing is. */
  readonly nextDueMs: (appKey: string, afterMs: number) => number | undefined;
  /** Starts what is due at that time, or was before; gives a promise for each thing that has not ended at once. */
  readonly startDue: (appKey: string, nowMs: number) => readonly Promise<void>[];
  /** Ends what is under way, without a trace of how it would have ended. */
  readonly stop?: () => Promise<void>;
}

/** What `advance` waits for: the attempts that were started, or nothing. */
export type Wait = 'attempts' | 'none';

/** After which time what a full disk has kept from starting is tried again. */
const againMs = 5_000;

/** The longest time that `setTimeout` bears. */
const longestTimerMs = 2 ** 31 - 1;

/** Sees to it that what is due happens, on each application's own clock. */
export class Timeline {
  readonly #applications: ApplicationStore;
  readonly #works: readonly DueWork[];
  /** By application what has been started and has not ended. */
  readonly #underWay = new Map<string, Set<Promise<void>>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #advances = new Map<string, Promise<number>>();
  #isRunning = false;

  constructor(applications: ApplicationStore, works: readonly DueWork[]) {
    [this.#applications, this.#works] = [applications, works];
  }

  /** Starts what became due while nobody ran; before it nothing starts. */
  start(): void {
    this.#isRunning = true;
    for (const { appKey } of this.#applications.list()) this.touch(appKey);
  }

  /** Starts what is due of that application: to be called whenever something may have become due. */
  touch(appKey: string): void {
    if (!this.#isRunning) return;
    try {
      this.#startDue(appKey);
    } catch (error) {
      const storage = storageFailure(error);
      if (storage === undefined) throw error;
      // What is due is due still: it is started once there is room.
      console.error(`simulator: ${storage}`);
      clearTimeout(this.#timers.get(appKey));
      this.#timers.set(
        appKey,
        setTimeout(() => this.touch(appKey), againMs),
      );
    }
  }

  #startDue(appKey: string): void {
    const now = this.#clockMs(appKey);
    for (const work of this.#works) for (const started of work.startDue(appKey, now)) this.#follow(appKey, started);
    this.#setTimer(appKey, now);
  }

  /**
   * Moves a test clock on, through every instant at which something is due; gives where it stands then. Unix milliseconds. One move
   * after the other: two that overlap would each reckon from where the clock stood.
   */
  advance(appKey: string, byMs: number, wait: Wait): Promise<number> {
    const before = this.#advances.get(appKey) ?? Promise.resolve(0);
    const mine = before.then(() => this.#advanceNow(appKey, byMs, wait));
    this.#advances.set(appKey, mine);
    return mine.finally(() => {
      if (this.#advances.get(appKey) === mine) this.#advances.delete(appKey);
    });
  }

  /** Starts nothing more, and ends what is under way. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.all(this.#works.map(async (work) => work.stop?.()));
  }

  #clockMs(appKey: string): number {
    return nowMs(this.#applications.findByKey(appKey)?.clock ?? 'system');
  }

  #nextDueMs(appKey: string, afterMs: number): number | undefined {
    const dues = this.#works.flatMap((work) => work.nextDueMs(appKey, afterMs) ?? []);
    return dues.length === 0 ? undefined : Math.min(...dues);
  }

  #follow(appKey: string, work: Promise<void>): void {
    const open = this.#underWay.get(appKey) ?? new Set();
    this.#underWay.set(appKey, open.add(work));
    void work.finally(() => {
      open.delete(work);
      if (open.size === 0) this.#underWay.delete(appKey);
      this.touch(appKey);
    });
  }

  /** On the system clock time passes by itself: a timer stands for the next instant after the one that was started. */
  #setTimer(appKey: string, now: number): void {
    clearTimeout(this.#timers.get(appKey));
    this.#timers.delete(appKey);
    if (this.#applications.findByKey(appKey)?.clock !== 'system') return;
    const due = this.#nextDueMs(appKey, now);
    if (due === undefined) return;
    const timer = setTimeout(() => this.touch(appKey), Math.min(due - now, longestTimerMs));
    this.#timers.set(appKey, timer);
  }

  async #becomeQuiet(appKey: string): Promise<void> {
    this.touch(appKey);
    const open = (): Set<Promise<void>> | undefined => (this.#isRunning ? this.#underWay.get(appKey) : undefined);
    for (let started = open(); started; started = open()) await Promise.race(started);
  }

  async #advanceNow(appKey: string, byMs: number, wait: Wait): Promise<number> {
    const untilMs = this.#clockMs(appKey) + byMs;
    for (;;) {
      if (wait === 'attempts') await this.#becomeQuiet(appKey);
      else this.touch(appKey);
      const due = this.#nextDueMs(appKey, this.#clockMs(appKey));
      if (due === undefined || due > untilMs) break;
      this.#applications.update(appKey, { clock: due });
    }
    this.#applications.update(appKey, { clock: untilMs });
    return untilMs;
  }
}
