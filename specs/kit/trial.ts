import { codes, type PlatformCode } from '../../contract/codes.ts';
import { costBy, costWithout, sumOfCosts } from '../../contract/cost.ts';
import type { Call, Draft } from '../../contract/request.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import { sideEffectOf } from '../../client/side-effects.ts';
import type { Exchange } from '../../client/transport.ts';
import { plainEcho, rightDraft, sendFairly, type Attemptable } from '../../targets/fair-send.ts';
import { mayLeaveNew, twinOf } from '../../targets/harmless.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import type { StoredDelivery } from '../../targets/address.ts';
import type { Inbox } from '../../targets/inbox.ts';
import { exchangeRecord, type AddressFacts, type Aim, type PromiseOfDelivery } from '../../trace/records.ts';
import { judgedInPassing } from '../../judge/judge.ts';
import type { EmpresaName, RegisteredEmpresa } from '../../targets/empresa.ts';
import { type Caller, type Condition, type Target } from '../../targets/target.ts';
import { allFields, type VerdictFields } from '../../schemas/verdict-fields.ts';
import type { ObservedLadder } from '../../schemas/results.ts';
import { awaiting, isHurried, noteAwaited, type Wait } from './awaiting.ts';
import { Deviation, premise, type Found } from './deviation.ts';
import { deliveriesTo } from './deliveries.ts';
import { hold } from './held.ts';
import { LeftOut } from '../../targets/left-out.ts';
import { isNoted, sawKept } from './noting.ts';
import { withShape } from './shapes.ts';
import { isAccepted, isRefused, isUnreadable, refusalText, summary } from './reply.ts';
import { ownCost, type TrialRecord } from './trial-record.ts';
import { Twins } from './twins.ts';

/** A change of a draft: a flaw, or something that is free to differ. */
export type Change = (draft: Draft) => Draft;

/** A fault of a request, with what it is answered with when it is alone. */
interface ObservedFault {
  readonly name: string;
  readonly refusal: PlatformCode;
}

/** What a check works with: it sends, it asserts, and it remembers what was sent in the current case. */
export interface Trial {
  readonly target: Target;
  /** An active application; the same one throughout a check. */
  caller(): Promise<Caller>;
  /** An application in that condition; the same one throughout a check. Needs the need of the same name. */
  callerIn(condition: Condition): Promise<Caller>;
  /** An application made to measure; the same one for the same wish throughout a check. Needs `chosen-application`. */
  callerLike(wish: ApplicationWish): Promise<Caller>;
  /** A company with its certificate that the caller may issue for; the same one for the same caller throughout a check. */
  empresa(caller: Caller, name?: EmpresaName): Promise<RegisteredEmpresa>;
  /** Signs and sends a call after the changes; waits out what is the network's trouble, and a 429. */
  send(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /** The same, but a 429 is the answer that it is. */
  sendUnderLimit(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /** Follows a link to a document, without our headers. */
  download(url: string): Promise<Exchange>;
  /**
   * Sends, and fails unless the gateway lets it pass. Throws a LeftOut, and sends nothing, where a call that passes might
   * leave something new with somebody: there the companies and invoices of the run show that such calls are accepted.
   */
  accepts(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /**
   * Sends the call with the flaw, which must be refused with that code. Where no untouched call of its kind has passed of late, now
   * and then anyway, and wherever the refusal is another, the call is sent untouched as well, which must pass. The hint says what a
   * target that lets the flaw pass gets wrong. Where a call that passes might leave something new with somebody, a plain echo of
   * the same caller is sent in place of the untouched one, and first.
   */
  refuses(caller: Caller, call: Call, refusal: PlatformCode, flaw: Change, hint?: string): Promise<Exchange>;
  /**
   * Sends the call as the check's own active application, which must pass (or a plain echo, as above), and as another,
   * which must be refused with that code, in such an order.
   */
  refusesCaller(other: Caller, call: Call, refusal: PlatformCode, hint?: string): Promise<Exchange>;
  /** Fails unless the answer is a refusal with that code. */
  isRefusedWith(exchange: Exchange, refusal: PlatformCode, hint?: string): void;
  /** Sends what is to be refused with that code, without a twin to compare it with, and fails unless it is. */
  refusesAlone(
    caller: Caller,
    call: Call,
    refusal: PlatformCode,
    hint?: string,
    ...changes: Change[]
  ): Promise<Exchange>;
  /** Sends what has these faults, to be judged by which of them comes first. A 429 is an answer where a limit is one of them. */
  sendFaulty(caller: Caller, call: Call, faults: readonly ObservedFault[], ...changes: Change[]): Promise<Exchange>;
  /** Notes which of the faults of a request its answer was for. */
  observe(faults: readonly ObservedFault[], answered: ObservedFault): void;
  /** Notes the fields in `data` of verification events, for later runs to compare. */
  fields(found: VerdictFields): void;
  /** Notes when a delivery that was not acknowledged was tried again. */
  ladder(seen: ObservedLadder): void;
  /** Puts an exchange that another check has made among those of this one, which judges it. */
  recall(exchange: Exchange): void;
  /** Says what will come to an address of ours, before the target is given it. */
  announce(inbox: Inbox, channel: AddressFacts['channel'], caller: Caller, token?: string): void;
  /** Uses, or makes, what all checks of a run share under that name: what that costs is not this check's own. */
  sharing<T>(name: string, make: () => Promise<T>): Promise<T>;
  /**
   * Notes deliveries that came to this check. What came to an address that is not the check's own is judged where the
   * application has signed it; what came to its own was judged as it came.
   */
  received(...arrivals: readonly Arrival[]): void;
  /** The same of those that are surely the target's, whoever signed them. */
  receivedSurely(...arrivals: readonly Arrival[]): void;
  /** The same of those that came to an earlier receiver, for that application. */
  receivedBefore(caller: Caller, deliveries: readonly StoredDelivery[]): void;
  /** Whether the application has signed a delivery. */
  isSurelySent(arrival: Arrival): boolean;
  /** The same of one that came to another check, where it was judged. */
  receivedElsewhere(arrival: Arrival): void;
  /**
   * Does the same with each item; wherever endpoints, paths or other cases that may fail one by one are gone through. Where a
   * failure with one of them is known, the others follow.
   */
  each<T>(items: readonly T[], body: (item: T) => Promise<void> | void): Promise<void>;
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
  holds(condition: boolean, found: Found): void;
  /** The same of what the check builds on: where that does not hold, its own rule is not put to the test. */
  presumes(condition: boolean, found: Found): void;
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

/** Retries of one delivery that are noted, the first ones: many more than are planned. */
const mostRetries = 100;

/** A trial against that target that writes down what it does; what it draws follows from the seed. */
export function trialOf(target: Target, record: TrialRecord, seed = ''): Trial {
  const callers = new Map<string, Promise<Caller>>();
  const memoised = (key: string, make: () => Promise<Caller>): Promise<Caller> => {
    const known = callers.get(key) ?? make();
    callers.set(key, known);
    return known;
  };
  const empresas = new Map<string, Promise<RegisteredEmpresa>>();
  const callerOfCheck = (): Promise<Caller> => memoised('own', () => target.caller());
  const echo = async (withinMs: number): Promise<Exchange> => {
    const own = await callerOfCheck();
    return target.send(plainEcho(own.appSecret, own.now()), { withinMs });
  };
  const noted = async (attempt: Attemptable, aim?: Aim): Promise<Exchange> => {
    const recorded = (sent: Exchange, own?: Aim): Exchange => {
      // First of all: what is recorded may be written at once, under a mask that is to know the token.
      record.tokens.add(sent.request.parts.token);
      record.recorder.exchange(sent, own);
      return sent;
    };
    const { send, twin, echo: echoed } = attempt;
    const recording: Attemptable = {
      ...attempt,
      send: async (isResent) =>
        recorded(await send(isResent).then((sent) => (isResent ? { ...sent, isResent } : sent)), aim),
      twin: async (withinMs) => recorded(await twin(withinMs)),
      echo: async (withinMs) => recorded(await echoed(withinMs)),
    };
    const exchange = await sendFairly(target, recording, (hiccup) => record.hiccups.push(hiccup));
    // Before it is cut: what the check has cut itself is no fault of an answer.
    if (isUnreadable(exchange)) record.unread ??= summary(exchange);
    hold(record.exchanges, exchange, (whole, start) => keepDraft(record, whole, start));
    record.exchangesMade += 1;
    if (sideEffectOf(exchange) !== undefined) record.leftBehind += 1;
    return exchange;
  };
  const sendWith = async (
    isLimitWanted: boolean,
    caller: Caller,
    call: Call,
    changes: readonly Change[],
    aim?: Aim,
  ): Promise<Exchange> => {
    const draft = (): Draft => changed(rightDraft(target, caller, call), changes);
    const twin = async (withinMs: number): Promise<Exchange> =>
      changes.length > 0
        ? target.send(rightDraft(target, await callerOfCheck(), twinOf(target.address, call)), { withinMs })
        : echo(withinMs);
    const attempt = { send: () => target.send(draft(), { isPaced: !isLimitWanted }), twin, echo, isLimitWanted };
    const exchange = await noted(attempt, aim);
    record.drafts.set(exchange, draft);
    record.shapes = withShape(record.shapes, exchange);
    return exchange;
  };
  const send: Trial['send'] = (caller, call, ...changes) => sendWith(false, caller, call, changes);
  const isRefusedWith: Trial['isRefusedWith'] = (exchange, refusal, hint) => {
    record.assertions += 1;
    if (isRefused(exchange, refusal)) return;
    throw new Deviation({
      expected: refusalText(refusal),
      actual: summary(exchange),
      hint: isAccepted(exchange) ? hint : undefined,
    });
  };
  const aimedAt = (faults: 'accepted' | readonly ObservedFault[], hint?: string): Aim | undefined => {
    const { clause } = record;
    if (!clause) return undefined;
    if (faults === 'accepted') return { clause, faults };
    const coded = faults.map(({ name, refusal: { code } }) => ({ name, code }));
    return { clause, faults: coded, ...(hint === undefined ? {} : { hint }) };
  };
  const alone = (refusal: PlatformCode, hint?: string): Aim | undefined =>
    aimedAt([{ name: refusal.meaning, refusal }], hint);
  const twins = new Twins();
  const isRefusedBesideTwin = async (
    [caller, call]: readonly [Caller, Call],
    sendFlawed: () => Promise<Exchange>,
    refusal: PlatformCode,
    hint: string | undefined,
  ): Promise<Exchange> => {
    const twin = twinOf(target.address, call);
    const drawn = twins.drawn(`${seed} ${target.spent().requests}`, caller, twin);
    const isTwinFirst = drawn.isDue && (!drawn.isLast || mayLeaveNew(target.address, call));
    const sendTwin = async (): Promise<void> => {
      await premise(() => passes(undefined, caller, twin));
      twins.notePassed(caller, twin);
    };
    if (isTwinFirst) await sendTwin();
    const exchange = await sendFlawed().catch(async (error: unknown) => {
      // Where the flawed one can't be sent, its twin tells whether its endpoint answers nobody.
      if (!isTwinFirst && error instanceof NotExercised) await sendTwin();
      throw error;
    });
    // What passes with a flaw is wrong whatever its twin is answered; what else is not as wanted is nothing without its twin.
    const isTwinWanted = drawn.isDue || !isRefused(exchange, refusal);
    if (!isTwinFirst && isTwinWanted && !isAccepted(exchange)) await sendTwin();
    isRefusedWith(exchange, refusal, hint);
    return exchange;
  };
  const passes = async (aim: Aim | undefined, caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange> => {
    if (mayLeaveNew(target.address, call)) throw new LeftOut(mightLeave(call));
    // Where the judge has a rule of the clause, that is what is asserted.
    if (!record.clause || !judgedInPassing.has(record.clause)) record.assertions += 1;
    const exchange = await sendWith(false, caller, call, changes, aim);
    if (isAccepted(exchange)) return exchange;
    if (!target.address.control && isRefused(exchange, codes.notSubscribed)) {
      const { method, path } = call;
      throw new LeftOut(
        `needs a subscription to ${method} ${path}: NFE_APP_SECRET has none (403, code 10009005)`,
        'settings',
      );
    }
    throw new Deviation({ expected: 'accepted by the gateway', actual: summary(exchange) });
  };
  return {
    target,
    caller: callerOfCheck,
    callerIn: (condition) => memoised(condition, () => target.callerIn(condition)),
    callerLike: (wish) => memoised(JSON.stringify(wish), () => target.chosenCaller(wish)),
    empresa(caller, name = 'own') {
      const key = `${name} ${caller.appSecret}`;
      const known = empresas.get(key) ?? target.empresa(name, (call) => send(caller, call));
      empresas.set(key, known);
      return known;
    },
    download: (url) => noted({ send: () => target.download(url), twin: echo, echo }),
    send,
    sendUnderLimit: (caller, call, ...changes) => sendWith(true, caller, call, changes),
    accepts: (caller, call, ...changes) => passes(aimedAt('accepted'), caller, call, ...changes),
    isRefusedWith,
    async refusesAlone(caller, call, refusal, hint, ...changes) {
      const exchange = await sendWith(refusal === codes.rateLimited, caller, call, changes, alone(refusal, hint));
      isRefusedWith(exchange, refusal, hint);
      return exchange;
    },
    sendFaulty: (caller, call, faults, ...changes) =>
      sendWith(isLimited(faults), caller, call, changes, aimedAt(faults)),
    refuses: (caller, call, refusal, flaw, hint) =>
      isRefusedBesideTwin(
        [caller, call],
        () => sendWith(false, caller, call, [flaw], alone(refusal, hint)),
        refusal,
        hint,
      ),
    refusesCaller: async (other, call, refusal, hint) =>
      isRefusedBesideTwin(
        [await callerOfCheck(), call],
        () => sendWith(false, other, call, [], alone(refusal, hint)),
        refusal,
        hint,
      ),
    observe(faults, answered) {
      const { name: first, refusal } = answered;
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
    async sharing(name, make) {
      const ownBefore = ownCost(target, record);
      try {
        return await make();
      } finally {
        const made = costWithout(ownCost(target, record), ownBefore);
        record.shares.set(name, sumOfCosts([record.shares.get(name) ?? costBy(() => 0), made]));
      }
    },
    ...deliveriesTo(target, record),
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

/** An exchange of which only the start is kept can be made anew all the same. */
function keepDraft({ drafts }: TrialRecord, whole: Exchange, start: Exchange): void {
  const draft = drafts.get(whole);
  if (draft) drafts.set(start, draft);
}

/** Why a call is not sent untouched, in one sentence. */
export function mightLeave({ method, path }: Call): string {
  return `${method} ${path} might leave something behind if it passes: the companies and invoices of the run show that it does`;
}

function changed(draft: Draft, changes: readonly Change[]): Draft {
  return changes.reduce((before, change) => change(before), draft);
}

function isLimited(faults: readonly ObservedFault[]): boolean {
  return faults.some(({ refusal }) => refusal === codes.rateLimited);
}
