import type { PlatformCode } from '../../contract/codes.ts';
import type { Call, Draft } from '../../contract/request.ts';
import type { Exchange } from '../../client/transport.ts';
import type { Caller, Target } from '../../targets/target.ts';
import type { ObservedShape } from '../../schemas/results.ts';
import { Deviation } from './deviation.ts';
import { plainEcho, sendFairly } from './fair-send.ts';
import { withShape } from './shapes.ts';
import { isAccepted, isRefused, refusalText, summary } from './reply.ts';

/** A change of a draft: a flaw, or something that is free to differ. */
export type Change = (draft: Draft) => Draft;

/** What a check works with: it sends, it asserts, and it remembers what was sent in the current case. */
export interface Trial {
  readonly target: Target;
  /** An active application; the same one throughout a check. */
  caller(): Promise<Caller>;
  /** Signs and sends a call after the changes; waits out what is the network's trouble, and a 429. */
  send(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /** Sends, and fails unless the gateway lets it pass. */
  accepts(caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange>;
  /**
   * Sends the call untouched, which must pass, then with the flaw, which must be refused with that code; the hint says what
   * a target that lets the flaw pass gets wrong.
   */
  refuses(caller: Caller, call: Call, refusal: PlatformCode, flaw: Change, hint?: string): Promise<Exchange>;
  /** Fails with these words unless the condition holds. */
  holds(condition: boolean, found: { expected: string; actual: string; hint?: string }): void;
}

/** What a trial has done so far. */
export interface TrialRecord {
  assertions: number;
  /** What the answers of the whole check looked like. */
  shapes: readonly ObservedShape[];
  /** Trouble on the way that was not the target's answer. */
  hiccups: string[];
  /** The exchanges of the current case. */
  exchanges: Exchange[];
  /** The exchanges of the case that failed last: fast-check reports that one. */
  failing?: Exchange[];
}

/** A record of nothing yet. */
export function newRecord(): TrialRecord {
  return { assertions: 0, shapes: [], hiccups: [], exchanges: [] };
}

/** A trial against that target that writes down what it does. */
export function trialOf(target: Target, record: TrialRecord): Trial {
  let own: Promise<Caller> | undefined;
  const send = async (caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange> => {
    const draft = (): Draft => draftOf(caller, call, changes);
    const twin = (): Draft =>
      changes.length > 0 ? draftOf(caller, call, []) : plainEcho(caller.appSecret, caller.now());
    const exchange = await sendFairly(target, { draft, twin }, (hiccup) => record.hiccups.push(hiccup));
    record.exchanges.push(exchange);
    record.shapes = withShape(record.shapes, exchange);
    return exchange;
  };
  const accepts = async (caller: Caller, call: Call, ...changes: Change[]): Promise<Exchange> => {
    record.assertions += 1;
    const exchange = await send(caller, call, ...changes);
    if (isAccepted(exchange)) return exchange;
    throw new Deviation({ expected: 'accepted by the gateway', actual: summary(exchange) });
  };
  return {
    target,
    caller: () => (own ??= target.caller()),
    send,
    accepts,
    async refuses(caller, call, refusal, flaw, hint) {
      await accepts(caller, call).catch((error: unknown) => {
        throw error instanceof Deviation ? twinRefused(error) : error;
      });
      record.assertions += 1;
      const exchange = await send(caller, call, flaw);
      if (isRefused(exchange, refusal)) return exchange;
      throw new Deviation({
        expected: refusalText(refusal),
        actual: summary(exchange),
        hint: isAccepted(exchange) ? hint : undefined,
      });
    },
    holds(condition, found) {
      record.assertions += 1;
      if (!condition) throw new Deviation(found);
    },
  };
}

function twinRefused(error: Deviation): Deviation {
  return new Deviation({
    expected: 'the untouched request accepted by the gateway, to compare the flawed one with',
    actual: error.actual,
    hint: 'the request is correct as it stands and the target refuses it: see what the clauses on accepted requests say',
    twin: true,
  });
}

function draftOf(caller: Caller, call: Call, changes: readonly Change[]): Draft {
  const draft: Draft = { call, token: caller.appSecret, timestamp: String(caller.now()) };
  return changes.reduce((changed, change) => change(changed), draft);
}
