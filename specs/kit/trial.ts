import { hash } from 'node:crypto';
import type { PromiseOfDelivery } from '../../trace/records.ts';
import type { Caller } from '../../targets/caller.ts';
import type { Target } from '../../targets/target.ts';
import { awaiting, isHurried, noteAwaited, type Wait } from './awaiting.ts';
import { callersOf, type Callers } from './callers.ts';
import { deliveriesTo, type Deliveries } from './deliveries.ts';
import { Deviation, type DeviationFacts } from './deviation.ts';
import { Exchanges } from './exchanges.ts';
import { notesIn, type Notes } from './notes.ts';
import { isNoted, sawKept } from './noting.ts';
import { sendingOf, type Sending } from './sending.ts';
import type { TrialRecord } from './trial-record.ts';

/** What a check works with: it sends, it asserts, and it remembers what was sent in the current case. */
export interface Trial extends Callers, Sending, Deliveries, Notes {
  readonly target: Target;
  /**
   * Does the same with each item; wherever endpoints, paths or other cases that may fail one by one are gone through. Where a
   * failure with one of them is known, the others follow.
   */
  each<T>(items: readonly T[], body: (item: T) => Promise<void> | void): Promise<void>;
  /** So many of the items, drawn: with another seed others. */
  drawn<T>(items: readonly T[], count: number): readonly T[];
  /** Asks anew, though others of its pool may have asked the same. */
  anew<T>(ask: () => Promise<T>): Promise<T>;
  /** Waits for what comes some time after its request: sees again and again until it is as wanted; what was seen last. */
  awaits<T>(wait: Wait, see: () => Promise<T> | T, isWanted: (seen: T) => boolean): Promise<T>;
  /**
   * Notes whether a delivery came that the clause promises: one that is lost fails that clause, whatever the check is about. What
   * was hardly waited for is not lost.
   */
  awaited(clause: PromiseOfDelivery, hasCome: boolean): void;
  /** Whether the current case missed something that was hardly waited for. */
  isHurried(): boolean;
  /** Fails with these words unless the condition holds. */
  holds(condition: boolean, found: DeviationFacts): void;
  /** The same of what the check builds on: where that does not hold, its own rule is not put to the test. */
  presumes(condition: boolean, found: DeviationFacts): void;
}

/** Makes something once for each trial, so that the cases of a property share it. */
export function oncePerTrial<T>(make: (t: Trial) => Promise<T>): (t: Trial) => Promise<T> {
  const made = new WeakMap<Trial, Promise<T>>();
  return (t) => {
    const known = made.get(t) ?? make(t);
    made.set(t, known);
    return known;
  };
}

/** A trial against that target that writes down what it does; what it draws follows from the seed. */
export function trialOf(target: Target, record: TrialRecord, seed = ''): Trial {
  const callers = callersOf(target, () => exchanges, record.pool);
  const own = (): Promise<Caller> => callers.caller();
  const exchanges = new Exchanges(target, record, own);
  return {
    target,
    ...callers,
    ...sendingOf({ target, record, exchanges }, own, seed),
    ...deliveriesTo(target, record),
    ...notesIn(record, target),
    async each(items, body) {
      if (items.length > 1) record.hasItems = true;
      for (const item of items) {
        try {
          await body(item);
          sawKept(record);
        } catch (error) {
          if (!isNoted(record, error)) throw error;
        }
      }
    },
    drawn(items, count) {
      const ranked = items.map((item, nth) => ({ item, rank: hash('sha256', `${seed} ${nth}`) }));
      return ranked
        .toSorted((one, other) => (one.rank < other.rank ? -1 : 1))
        .slice(0, count)
        .map(({ item }) => item);
    },
    async anew(ask) {
      const { pool } = record;
      delete record.pool;
      try {
        return await ask();
      } finally {
        record.pool = pool;
      }
    },
    awaits: (wait, see, isWanted) => awaiting(target, record, wait, see, isWanted),
    awaited: (clause, hasCome) => noteAwaited(record, clause, hasCome),
    isHurried: () => isHurried(record.missed),
    holds(condition, found) {
      record.assertions += 1;
      if (!condition) throw new Deviation(found);
    },
    presumes(condition, found) {
      if (!condition) throw new Deviation(found).asPremise();
    },
  };
}
