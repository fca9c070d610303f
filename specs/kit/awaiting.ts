import { isOfWay } from '../../contract/values.ts';
import { promiseOfVerdicts, promisesOfCallbacks } from '../../contract/clause.ts';
import type { ClauseId } from '../../contract/catalogue.ts';
import type { PromiseOfDelivery } from '../../trace/records.ts';
import type { Recorder } from './recorder.ts';
import type { Awaited as AwaitedKind, Patience } from '../../targets/traffic/guard.ts';
import { sleepLooking } from '../../targets/outage.ts';
import type { Target } from '../../targets/target.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Deviation } from './deviation.ts';

/** The kinds of things that did not come in time, each with whether one was waited for as long as the setting says. */
export type Missed = ReadonlyMap<AwaitedKind, boolean>;

/** How something is waited for. */
export interface Wait {
  readonly kind: AwaitedKind;
  /** The pause between two looks doubles from the first to the longest. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** As long as the run has patience with its kind when absent. */
  readonly seconds?: number;
}

/** What a wait takes from the check that waits. */
interface WaitingCheck {
  readonly isRepetition: boolean;
  readonly isAbreast?: boolean;
  readonly clause?: ClauseId;
  missed: Missed;
}

/** The clauses which say that something of a kind comes at all. */
const promises: Readonly<Record<AwaitedKind, readonly ClauseId[]>> = {
  settlement: [],
  cancellation: ['nfe-cancellation.status-becomes-cancelada'],
  delivery: promisesOfCallbacks,
  verdict: [promiseOfVerdicts, 'nfe-verification.force-revalidate'],
};

/** Looks again and again until what is seen is as wanted or the patience is at its end; gives what was seen last. */
export async function awaiting<T>(
  { ledger, address, look }: Target,
  waiter: WaitingCheck,
  { kind, firstPauseMs, longestPauseMs, seconds }: Wait,
  see: () => Promise<T> | T,
  isWanted: (seen: T) => boolean,
): Promise<T> {
  const { waits } = ledger.guard;
  const { isRepetition, clause } = waiter;
  const isPromised = clause !== undefined && promises[kind].includes(clause);
  const patience: Patience =
    seconds === undefined
      ? waits.patience(kind, longestOf(kind, address), { isRepetition, isPromised })
      : { seconds, isFull: true };
  const startMs = Date.now();
  let notedMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const seen = await see();
    const hasCome = isWanted(seen);
    if (hasCome || Date.now() + pauseMs > startMs + patience.seconds * 1000) {
      if (seconds === undefined) waits.note(kind, { patience, hasCome, ms: Date.now() - startMs });
      if (hasCome) waits.pass(-notedMs);
      if (hasCome && waiter.isAbreast !== true) waits.noteCameInTurn(notedMs);
      if (!hasCome) waiter.missed = withMiss(waiter.missed, kind, patience);
      return seen;
    }
    await sleepLooking(pauseMs, look);
    const passedMs = Date.now() - startMs - notedMs;
    waits.pass(passedMs);
    notedMs += passedMs;
  }
}

/** So long is waited for something: a cancellation is done with its answer where a clock can be moved, so that nothing takes its own time. */
function longestOf(kind: AwaitedKind, { control, settleTimeoutSeconds }: Target['address']): number {
  return control && kind === 'cancellation' ? Math.min(settleTimeoutSeconds, clockedSeconds) : settleTimeoutSeconds;
}

const clockedSeconds = 15;

function withMiss(missed: Missed, kind: AwaitedKind, { isFull }: Patience): Missed {
  return new Map([...missed, [kind, isFull || (missed.get(kind) ?? false)]]);
}

/** Whether a case missed something that was hardly waited for: then what it found says little. */
export function isHurried(missed: Missed): boolean {
  return [...missed.values()].includes(false);
}

/** Why what was hardly waited for accuses nobody. */
export const hurriedText =
  'something did not come within a second, and since it had failed to come before, it was waited for no longer';

/**
 * Whether what a case found is what a target that is going down shows as well: no answer, a 5xx, something that did not come.
 * A whole answer that is wrong is not.
 */
export function isFrail(exchanges: readonly Exchange[], missed: Missed): boolean {
  return missed.size > 0 || exchanges.some(({ response }) => response === undefined || response.status >= 500);
}

/** What a case found, and how. */
interface CaseSeen {
  readonly exchanges: readonly Exchange[];
  readonly missed: Missed;
  readonly hasLost: boolean;
}

/**
 * What a failure rests on. `answers`: all of its case are whole, and it rests on what came, so that it is the target's whoever stands
 * between. `resent`: the same, but one was asked for twice, and what was taken at first is refused then; that says nothing. `way`:
 * a connection that broke, or time. What did not come rests on answers where it was waited for in full, and is lost.
 */
export function basisOf(
  { restsOnTime }: Deviation,
  { exchanges, missed, hasLost }: CaseSeen,
): 'answers' | 'resent' | 'way' {
  const isOnTime = !hasLost && (restsOnTime || missed.size > 0);
  if (isOnTime || isHurried(missed) || !exchanges.every(isWhole)) return 'way';
  return exchanges.some(({ isResent }) => isResent) ? 'resent' : 'answers';
}

function isWhole({ response }: Exchange): boolean {
  return response !== undefined && !isOfWay(response.status);
}

/** What a wait for a delivery is noted in. */
interface AwaitingRecord {
  readonly recorder: Pick<Recorder, 'awaited'>;
  readonly missed: Missed;
  hasLost: boolean;
}

/** Notes whether a delivery came that a clause promises, by its first retry at the latest. What was hardly waited for says nothing. */
export function noteAwaited(record: AwaitingRecord, clause: PromiseOfDelivery, hasCome: boolean): void {
  const { recorder, missed } = record;
  if (!hasCome && isHurried(missed)) return;
  recorder.awaited(clause, hasCome);
  if (!hasCome) record.hasLost = true;
}
