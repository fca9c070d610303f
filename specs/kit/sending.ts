import { setImmediate as turn } from 'node:timers/promises';
import { codes, type PlatformCode } from '../../contract/values.ts';
import type { Call, Change } from '../../contract/request.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { judgedInPassing } from '../../judge/judge.ts';
import { mayLeaveNew, tellingTwin, twinOf } from '../../targets/traffic/interlock.ts';
import { LeftOut, NotExercised } from '../../targets/not-exercised.ts';
import type { Caller } from '../../targets/applications.ts';
import type { Target } from '../../targets/target.ts';
import type { Aim } from '../../trace/records.ts';
import { wishedInTurn, wishing } from '../../generators/wished-language.ts';
import { Deviation, premise } from './deviation.ts';
import type { Exchanges, Sent } from './exchanges.ts';
import { isAccepted, isPerhapsForItsQuery, isRefused, leaveOutUnread, refusalText, summary } from './reply.ts';
import type { TrialRecord } from './trial-record.ts';
import { Twins } from './pooled.ts';

/** A fault of a request, with what it is answered with when it is alone. */
export interface ObservedFault {
  readonly name: string;
  readonly refusal: PlatformCode;
}

/** How a check sends, and what it says at once of the answer. */
export interface Sending {
  /** Signs and sends a call after the changes; waits out what is the network's trouble, and a 429. */
  send(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /** The same, but a 429 is the answer that it is. */
  sendUnderLimit(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /**
   * Sends calls at the same time, over connections that are open by then, each after its changes; a 429 is an answer. Gives the
   * answers in the order of the calls. Of several callers, each sends in its turn.
   */
  sendAtOnce(
    callers: Caller | readonly [Caller, ...Caller[]],
    calls: readonly Call[],
    changesOf?: (nth: number) => readonly Change[],
  ): Promise<readonly Exchange[]>;
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
   * Sends the call as another than the check's own active application, which must be refused with that code; its twin is the same
   * call as the check's own.
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
}

/** A check that sends. */
interface Checking {
  readonly target: Target;
  readonly record: TrialRecord;
  readonly exchanges: Exchanges;
}

/** Sends for a check through its exchanges; `own` is its active application, and what is drawn follows from the seed. */
export function sendingOf(check: Checking, own: () => Promise<Caller>, seed: string): Sending {
  const { target, record, exchanges } = check;
  const twins = new Twins(target.address.baseUrl);
  const isRefusedWith: Sending['isRefusedWith'] = (exchange, refusal, hint) => {
    record.assertions += 1;
    failUnlessRefused(exchange, refusal, hint);
  };
  const refusesBesideTwin = async (flawed: Sent, untouched: Sent, expected: Expected): Promise<Exchange> => {
    const { caller, call } = untouched;
    const twin = { caller, call: twinOf(target.address, call) };
    const drawn = twins.drawn(`${seed} ${target.spent().requests}`, twin);
    const exchange = await besideTwin({
      isDue: drawn.isDue,
      isTwinFirst: drawn.isDue && (!drawn.isLast || mayLeaveNew(target.address, call)),
      sendFlawed: () =>
        exchanges.send({ ...flawed, call: inTurn(check, flawed.call, expected), aim: aimAtRefusal(record, expected) }),
      sendTwin: async () => {
        await premise(() => passes(check, twin));
        twins.notePassed(twin);
      },
      isWanted: (answer) => isRefused(answer, expected.refusal),
    });
    isRefusedWith(exchange, expected.refusal, expected.hint);
    return exchange;
  };
  return {
    send: (caller, call, ...changes) => exchanges.send({ caller, call, changes }),
    sendUnderLimit: (caller, call, ...changes) => exchanges.send({ caller, call, changes, isLimitWanted: true }),
    sendAtOnce: burstsOf(check, own),
    download: (url) => exchanges.download(url),
    accepts: (caller, call, ...changes) => passes(check, { caller, call, changes, aim: aimAt(record, 'accepted') }),
    isRefusedWith,
    async refusesAlone(caller, call, refusal, hint, ...changes) {
      const [aim, isLimitWanted] = [aimAtRefusal(record, { refusal, hint }), refusal === codes.rateLimited];
      const ask = (asked: Call): Promise<Exchange> =>
        exchanges.send({ caller, call: inTurn(check, asked, { refusal }), changes, aim, isLimitWanted });
      const first = await ask(call);
      // What is not found with a query may be so for its query, or since it passed: without one it tells which.
      const exchange = isPerhapsForItsQuery(first) ? await ask(withoutQuery(call)) : first;
      isRefusedWith(exchange, refusal, hint);
      return exchange;
    },
    sendFaulty: (caller, call, faults, ...changes) =>
      exchanges.send({ caller, call, changes, aim: aimAt(record, faults), isLimitWanted: isLimited(faults) }),
    refuses: (caller, call, refusal, flaw, hint) =>
      refusesBesideTwin({ caller, call, changes: [flaw] }, { caller, call }, { refusal, hint }),
    refusesCaller: async (other, call, refusal, hint) =>
      refusesBesideTwin({ caller: other, call }, { caller: await own(), call }, { refusal, hint }),
  };
}

function withoutQuery({ query: _query, ...call }: Call): Call {
  return call;
}

/** Sends calls at the same time, over connections that are opened first. */
function burstsOf({ target, exchanges }: Checking, own: () => Promise<Caller>): Sending['sendAtOnce'] {
  let opened = 0;
  return async (callers, calls, changesOf = () => []) => {
    const inOrder = 'appSecret' in callers ? [callers] : callers;
    const callerOf = (nth: number): Caller => inOrder[nth % inOrder.length] ?? inOrder[0];
    // Some serve only a few at once, which says nothing of the rate that they allow; a connection that brought a 429 is open, too.
    const atOnce = { isOfBurst: true, isLimitWanted: true };
    const opening = await own();
    // What waits for its connection does not go out at once.
    const missing = calls.slice(target.address.maxRps > 0 ? opened : 0);
    await Promise.all(
      missing.map((_, nth) =>
        exchanges.send({ caller: opening, call: tellingTwin(`${opening.now()} ${nth}`), ...atOnce }),
      ),
    );
    opened = Math.max(opened, calls.length);
    // A connection is free only in the turn after that of its answer.
    await turn();
    return Promise.all(
      calls.map((call, nth) => exchanges.send({ caller: callerOf(nth), call, changes: changesOf(nth), ...atOnce })),
    );
  };
}

/** How many calls that are refused with a code have asked for a language in turn, at whichever target. */
const turns = new Map<string, number>();

/**
 * The call in the language whose turn it is, where manners are asked for: then what is refused for one reason or another tells at the same
 * time whether its message follows. What belongs to a pool, or asks for a language, stays as it is.
 */
function inTurn({ target, record }: Checking, call: Call, { refusal }: Pick<Expected, 'refusal'>): Call {
  const { maxRps, baseUrl } = target.address;
  if (maxRps === 0 || record.pool || call.headers?.some(([name]) => /language/i.test(name))) return call;
  const reason = `${baseUrl} ${refusal.code}`;
  const turn = turns.get(reason) ?? 0;
  turns.set(reason, turn + 1);
  return wishing(call, wishedInTurn(turn));
}

/** What a flawed request is to be refused with, and what a target that lets it pass gets wrong. */
interface Expected {
  readonly refusal: PlatformCode;
  readonly hint: string | undefined;
}

/** A flawed request and its untouched twin. */
interface Pair {
  readonly isDue: boolean;
  readonly isTwinFirst: boolean;
  readonly sendFlawed: () => Promise<Exchange>;
  readonly sendTwin: () => Promise<void>;
  readonly isWanted: (answer: Exchange) => boolean;
}

/** The answer to a flawed request, and its twin sent where that is due or the answer is not the wanted one. */
async function besideTwin({ isDue, isTwinFirst, sendFlawed, sendTwin, isWanted }: Pair): Promise<Exchange> {
  if (isTwinFirst) await sendTwin();
  const exchange = await sendFlawed().catch(async (error: unknown) => {
    // Where the flawed one can't be sent, its twin tells whether its endpoint answers nobody.
    if (!isTwinFirst && error instanceof NotExercised) await sendTwin();
    throw error;
  });
  // What passes with a flaw is wrong whatever its twin is answered; what else is not as wanted is nothing without its twin.
  if (!isTwinFirst && (isDue || !isWanted(exchange)) && !isAccepted(exchange)) await sendTwin();
  return exchange;
}

/** Sends what the gateway is to let pass. */
async function passes({ target, record, exchanges }: Checking, sent: Sent): Promise<Exchange> {
  const { method, path } = sent.call;
  if (mayLeaveNew(target.address, sent.call)) throw new LeftOut(mightLeave(sent.call));
  // Where the judge has a rule of the clause, that is what is asserted.
  if (!record.clause || !judgedInPassing.has(record.clause)) record.assertions += 1;
  const exchange = await exchanges.send(sent);
  if (isAccepted(exchange)) return exchange;
  leaveOutUnread(exchange);
  if (!target.address.control && isRefused(exchange, codes.notSubscribed)) {
    throw new LeftOut(
      `needs a subscription to ${method} ${path}: NFE_APP_SECRET has none (403, code 10009005)`,
      'settings',
    );
  }
  throw new Deviation({ expected: 'accepted by the gateway', actual: summary(exchange) });
}

function failUnlessRefused(exchange: Exchange, refusal: PlatformCode, hint: string | undefined): void {
  if (isRefused(exchange, refusal)) return;
  leaveOutUnread(exchange);
  throw new Deviation({
    expected: refusalText(refusal),
    actual: summary(exchange),
    hint: isAccepted(exchange) ? hint : undefined,
  });
}

function aimAtRefusal(record: TrialRecord, { refusal, hint }: Expected): Aim | undefined {
  return aimAt(record, [{ name: refusal.meaning, refusal }], hint);
}

function aimAt({ clause }: TrialRecord, faults: 'accepted' | readonly ObservedFault[], hint?: string): Aim | undefined {
  if (!clause) return undefined;
  if (faults === 'accepted') return { clause, faults };
  const coded = faults.map(({ name, refusal: { code } }) => ({ name, code }));
  return { clause, faults: coded, ...(hint === undefined ? {} : { hint }) };
}

function isLimited(faults: readonly ObservedFault[]): boolean {
  return faults.some(({ refusal }) => refusal === codes.rateLimited);
}

/** Why a call is not sent untouched, in one sentence. */
export function mightLeave({ method, path }: Call): string {
  return `${method} ${path} might leave something behind if it passes: the companies and invoices of the run show that it does`;
}
