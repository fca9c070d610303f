import type { EndpointName } from '../../contract/endpoints.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange } from '../../client/transport.ts';
import { echoCall, probeCall } from '../../generators/calls.ts';
import { limitFault, type Fault } from '../../generators/faults.ts';
import type { RetiredCall } from '../../generators/retired-calls.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import type { Caller } from '../../targets/target.ts';
import { untilLimited } from './limit.ts';
import { isRefused, summary } from './reply.ts';
import type { Change, Trial } from './trial.ts';
import { Unproven } from './unproven.ts';

/** Where faults are put: a standard endpoint, and the retired path that takes its place when a fault wants one. */
export interface Place {
  readonly name: EndpointName;
  readonly retired: RetiredCall;
}

/** Sends one request with all of these faults; it is judged by their order where it is aimed at that. */
export async function sendFaulty(
  t: Trial,
  faults: readonly Fault[],
  place: Place,
  send: typeof sendAsWanted = sendAsWanted,
): Promise<Exchange> {
  const isRetired = faults.some((fault) => fault.isRetired);
  const call: Call = isRetired ? place.retired.call : probeCall(place.name, t.target.address.xmlContentType);
  const changes = faults.flatMap(({ apply }) => (apply ? [apply] : []));
  return send(t, faults, call, ...changes);
}

/** Sends a call as the application with these faults, to be judged by which of them comes first. */
export async function sendAimed(
  t: Trial,
  faults: readonly Fault[],
  call: Call,
  ...changes: Change[]
): Promise<Exchange> {
  return t.sendFaulty(await callerWith(t, faults), call, faults, ...changes);
}

/** Sends a call as the application with these faults; a 429 is an answer only where the limit is one of them. */
export async function sendAsWanted(
  t: Trial,
  faults: readonly Fault[],
  call: Call,
  ...changes: Change[]
): Promise<Exchange> {
  const caller = await callerWith(t, faults);
  return faults.includes(limitFault) ? t.sendUnderLimit(caller, call, ...changes) : t.send(caller, call, ...changes);
}

/** The application that has those of the faults which lie in it; the check's own where none does. */
export async function callerWith(t: Trial, faults: readonly Fault[]): Promise<Caller> {
  const wishes = faults.flatMap(({ application }) => (application ? [application] : []));
  if (wishes.length === 0) return t.caller();
  const [only] = wishes;
  if (!t.target.address.control && wishes.length === 1 && only?.subscriptions) {
    return t.callerIn('unsubscribed-application');
  }
  const wish: ApplicationWish = Object.fromEntries(wishes.flatMap((one) => Object.entries(one)));
  return t.callerLike(wish);
}

/**
 * Each fault alone gets its own refusal: only then does its place among others prove anything. Where a fault is refused
 * nowhere, other clauses say so, and this case proves nothing; one that is refused elsewhere but not here fails.
 * @throws {Unproven}
 */
export async function proveSingles(t: Trial, faults: readonly Fault[], place: Place): Promise<void> {
  for (const fault of faults) {
    const { name, refusal } = fault;
    let exchange = await sendFaulty(t, [fault], place);
    if (!isRefused(exchange, refusal)) {
      if (!(await isRefusedOnEcho(t, fault))) throw unproven(fault);
      // A limit may have been spent only now.
      exchange = await sendFaulty(t, [fault], place);
    }
    t.holds(isRefused(exchange, refusal), {
      expected: `${refusal.status}, code ${refusal.code} for ${name} alone`,
      actual: summary(exchange),
      hint: `${name} alone is refused elsewhere, but not here`,
    });
  }
}

/**
 * Says of a fault that was not refused whether the gateway misses just this one: then it is asked, since it refuses another
 * of the faults, and its order is not to blame.
 * @throws {Unproven}
 */
export async function isNotJustMissed(t: Trial, fault: Fault, others: readonly Fault[]): Promise<void> {
  if (await isRefusedOnEcho(t, fault)) return;
  for (const other of others) if (await isRefusedOnEcho(t, other)) throw unproven(fault);
}

/** Whether the fault is refused where nothing else is in its way; a limit is spent first. */
async function isRefusedOnEcho(t: Trial, fault: Fault): Promise<boolean> {
  if (fault.isRetired) return false;
  const caller = await callerWith(t, [fault]);
  if (fault === limitFault) return isRefused(await untilLimited(t, caller), fault.refusal);
  const changes = fault.apply ? [fault.apply] : [];
  return isRefused(await t.send(caller, echoCall('a fault alone'), ...changes), fault.refusal);
}

function unproven({ name, refusal }: Fault): Unproven {
  return new Unproven(
    `${name} alone does not get ${refusal.status}, code ${refusal.code}: what it comes before can't be told`,
  );
}

/** Throws an Unproven unless an application whose limit is spent is refused. */
export async function isLimitKept(t: Trial): Promise<void> {
  if (!(await isRefusedOnEcho(t, limitFault))) throw unproven(limitFault);
}

/** All faults together get the refusal of one of the winners. */
export async function proveWinner(
  t: Trial,
  winners: readonly Fault[],
  losers: readonly Fault[],
  place: Place,
): Promise<void> {
  const faults = [...winners, ...losers];
  const exchange = await sendFaulty(t, faults, place, sendAimed);
  const winner = winners.find(({ refusal }) => isRefused(exchange, refusal));
  const loser = losers.find(({ refusal }) => isRefused(exchange, refusal));
  const answered = winner ?? loser;
  if (answered && faults.length === 2) t.observe(faults, answered);
  t.holds(winner !== undefined, {
    expected: winners.map(({ refusal }) => `${refusal.status}, code ${refusal.code}`).join(' or '),
    actual: summary(exchange),
    ...(loser ? { hint: `${loser.name} is answered before ${winners.map(({ name }) => name).join(' and ')}` } : {}),
  });
}
