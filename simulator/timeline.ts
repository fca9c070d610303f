import { nowMs } from './clock.ts';
import type { ApplicationStore } from './state/applications.ts';

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

/** Sees to it that what is due happens, on each application's own clock. */
export interface Timeline {
  /** Starts what became due while nobody ran; before it nothing starts. */
  start(): void;
  /** Starts what is due of that application: to be called whenever something may have become due. */
  touch(appKey: string): void;
  /** Moves a test clock on, through every instant at which something is due; gives where it stands then. Unix milliseconds. */
  advance(appKey: string, byMs: number, wait: Wait): Promise<number>;
  /** Starts nothing more, and ends what is under way. */
  stop(): Promise<void>;
}

/** The longest time that `setTimeout` bears. */
const longestTimerMs = 2 ** 31 - 1;

/** A timeline of these kinds of work. */
export function openTimeline(applications: ApplicationStore, works: readonly DueWork[]): Timeline {
  const underWay = new Map<string, Set<Promise<void>>>();
  const timers = new Map<string, NodeJS.Timeout>();
  const advances = new Map<string, Promise<number>>();
  const running = { is: false };

  const clockMs = (appKey: string): number => nowMs(applications.findByKey(appKey)?.clock ?? 'system');
  const nextDueMs = (appKey: string, afterMs: number): number | undefined => {
    const dues = works.flatMap((work) => work.nextDueMs(appKey, afterMs) ?? []);
    return dues.length === 0 ? undefined : Math.min(...dues);
  };
  const follow = (appKey: string, work: Promise<void>): void => {
    const open = underWay.get(appKey) ?? new Set();
    underWay.set(appKey, open.add(work));
    void work.finally(() => {
      open.delete(work);
      if (open.size === 0) underWay.delete(appKey);
      touch(appKey);
    });
  };
  /** On the system clock time passes by itself: a timer stands for the next instant after the one that was started. */
  const setTimer = (appKey: string, now: number): void => {
    clearTimeout(timers.get(appKey));
    timers.delete(appKey);
    const application = applications.findByKey(appKey);
    if (application?.clock !== 'system') return;
    const due = nextDueMs(appKey, now);
    if (due === undefined) return;
    timers.set(
      appKey,
      setTimeout(() => touch(appKey), Math.min(due - now, longestTimerMs)),
    );
  };
  const touch = (appKey: string): void => {
    if (!running.is) return;
    const now = clockMs(appKey);
    for (const work of works) for (const started of work.startDue(appKey, now)) follow(appKey, started);
    setTimer(appKey, now);
  };
  const becomeQuiet = async (appKey: string): Promise<void> => {
    touch(appKey);
    for (let open = underWay.get(appKey); open && running.is; open = underWay.get(appKey)) await Promise.race(open);
  };
  const advanceNow = async (appKey: string, byMs: number, wait: Wait): Promise<number> => {
    const untilMs = clockMs(appKey) + byMs;
    for (;;) {
      if (wait === 'attempts') await becomeQuiet(appKey);
      else touch(appKey);
      const due = nextDueMs(appKey, clockMs(appKey));
      if (due === undefined || due > untilMs) break;
      applications.update(appKey, { clock: due });
    }
    applications.update(appKey, { clock: untilMs });
    return untilMs;
  };
  return {
    start() {
      running.is = true;
      for (const { appKey } of applications.list()) touch(appKey);
    },
    touch,
    // One after the other: two that overlap would each reckon from where the clock stood.
    advance(appKey, byMs, wait) {
      const before = advances.get(appKey) ?? Promise.resolve(0);
      const mine = before.then(() => advanceNow(appKey, byMs, wait));
      advances.set(appKey, mine);
      return mine.finally(() => {
        if (advances.get(appKey) === mine) advances.delete(appKey);
      });
    },
    async stop() {
      running.is = false;
      for (const timer of timers.values()) clearTimeout(timer);
      await Promise.all(works.map(async (work) => work.stop?.()));
    },
  };
}
