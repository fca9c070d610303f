import { hash } from 'node:crypto';
import { type PromiseOfDelivery, exchangeRecord } from '../../trace/records.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import type { Target } from '../../targets/target.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import { awaiting, isHurried, noteAwaited, type Wait } from './awaiting.ts';
import { deliveriesTo, type Deliveries } from './deliveries.ts';
import { Deviation, type DeviationFacts } from './deviation.ts';
import { Exchanges, sharing } from './exchanges.ts';
import { gatheringOf, type Gathering } from './gathered.ts';
import { isNoted, sawKept } from './noting.ts';
import { sendingOf, type Sending, type ObservedFault } from './sending.ts';
import type { TrialRecord } from './trial-record.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import type { EmpresaName, RegisteredEmpresa } from '../../targets/empresa.ts';
import type { Condition } from '../../targets/needs-met.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { ObservedLadder } from '../../schemas/observed.ts';
import { allFields, type VerdictFields } from '../../schemas/verdict.ts';

/** Who calls in a check, and for which companies; each the same whenever the check asks for it. */
interface Callers {
  /** An active application. */
  caller(): Promise<Caller>;
  /** An application in that condition. Needs the need of the same name. */
  callerIn(condition: Condition): Promise<Caller>;
  /** An application made to measure. Needs `chosen-application`. */
  callerLike(wish: ApplicationWish): Promise<Caller>;
  /** One on a clock of its own, which only goes on. Needs `movable-clock`. */
  clockedCaller(): Promise<ClockedCaller>;
  /**
   * One for which time can pass: the same for all checks where one gathers for others, so that nothing may stay with it that others would
   * notice, else one of its own. Needs `passing-time`.
   */
  passingCaller(): Promise<ClockedCaller>;
  /** Has whoever calls with others from now on call as another application. */
  renewCaller(): void;
  /** A company with its certificate that the caller may issue for. */
  empresa(caller: Caller, name?: EmpresaName): Promise<RegisteredEmpresa>;
}

/** The callers that a target has for a check; what is registered for them is sent by `exchanges`. */
function callersOf(target: Target, exchanges: () => Exchanges, { common, standing, pool }: TrialRecord): Callers {
  const callers = onceEach<Caller>();
  const empresas = onceEach<RegisteredEmpresa>();
  return {
    caller: () => callers('own', () => (common ? common.caller(target) : target.caller())),
    callerIn: (condition) =>
      callers(condition, () => (common ? common.callerIn(target, condition) : target.callerIn(condition))),
    clockedCaller: () => (common ? common.clocked(target) : target.clockedCaller()),
    passingCaller: () => (standing ? standing.clocked(target) : target.patientCaller()),
    renewCaller: () => (common ?? standing)?.renew(),
    callerLike: (wish) =>
      callers(JSON.stringify(wish), () => (pool ? pool.callerLike(target, wish) : target.chosenCaller(wish))),
    empresa: (caller, name = 'own') =>
      empresas(`${name} ${caller.appSecret}`, () => target.empresa(name, (call) => exchanges().send({ caller, call }))),
  };
}

/** Makes each thing once, whoever asks for its name meanwhile. */
function onceEach<T>(): (name: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name, make) => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    return known;
  };
}

/** What a check notes that no single case shows. */
interface Notes {
  /** Notes which of the faults of a request its answer was for. */
  observe(faults: readonly ObservedFault[], answered: ObservedFault): void;
  /** Notes the fields in `data` of verification events, for later runs to compare. */
  fields(found: VerdictFields): void;
  /** Notes when a delivery that was not acknowledged was tried again. */
  ladder(seen: ObservedLadder): void;
  /** Puts an exchange that another check has made among those of this one, which judges it. */
  recall(exchange: Exchange): void;
  /** Uses, or makes, what all checks of a run share under that name: what that costs is not this check's own. */
  sharing<T>(name: string, make: () => Promise<T>): Promise<T>;
}

/** Retries of one delivery that are noted, the first ones: many more than are planned. */
const mostRetries = 100;

/** Notes that go into the record of a check. */
function notesIn(record: TrialRecord, target: Target): Notes {
  return {
    observe(faults, { name: first, refusal }) {
      for (const { name: second, refusal: other } of faults) {
        if (second === first) continue;
        record.order.set(`${first} > ${second}`, { first, second, firstCode: refusal.code, secondCode: other.code });
      }
    },
    fields(found) {
      record.verdictFields = allFields([record.verdictFields, found]);
    },
    ladder(seen) {
      record.ladders.push({ ...seen, retriesSeconds: seen.retriesSeconds.slice(0, mostRetries) });
    },
    recall(exchange) {
      record.exchanges.push(exchange);
      record.recorder.recall(exchangeRecord(exchange));
    },
    sharing: (name, make) => sharing(target, record, name, make),
  };
}

/** What a check works with: it sends, it asserts, and it remembers what was sent in the current case. */
export interface Trial extends Callers, Sending, Deliveries, Notes, Gathering {
  readonly target: Target;
  /**
   * Does the same with each item; wherever endpoints, paths or other cases that may fail one by one are gone through. Where a
   * failure with one of them is known, the others follow; so do they where one proves nothing. A LeftOut where none proves anything.
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
  const callers = callersOf(target, () => exchanges, record);
  const own = (): Promise<Caller> => callers.caller();
  const exchanges = new Exchanges(target, record, own);
  return {
    target,
    ...callers,
    ...sendingOf({ target, record, exchanges }, own, seed),
    ...deliveriesTo(target, record),
    ...notesIn(record, target),
    ...gatheringOf(target, record),
    async each(items, body) {
      if (items.length > 1) record.hasItems = true;
      const leftOut: LeftOut[] = [];
      for (const item of items) {
        try {
          await body(item);
          sawKept(record);
        } catch (error) {
          if (error instanceof LeftOut) {
            leftOut.push(error);
            record.itemsLeftOut += 1;
          } else if (!isNoted(record, error)) throw error;
        }
      }
      const [first] = leftOut;
      if (first && leftOut.length === items.length) throw first;
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
