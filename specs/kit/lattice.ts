import type { EndpointName } from '../../contract/endpoints.ts';
import type { Call } from '../../contract/request.ts';
import type { Exchange } from '../../client/transport.ts';
import { probeCall } from '../../generators/calls.ts';
import type { Fault } from '../../generators/faults.ts';
import type { RetiredCall } from '../../generators/retired-calls.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import type { Caller } from '../../targets/target.ts';
import { isRefused, summary } from './reply.ts';
import type { Trial } from './trial.ts';

/** Where faults are put: a standard endpoint, and the retired path that takes its place when a fault wants one. */
export interface Place {
  readonly name: EndpointName;
  readonly retired: RetiredCall;
}

/** Sends one request with all of these faults. */
export async function sendFaulty(t: Trial, faults: readonly Fault[], place: Place): Promise<Exchange> {
  const isRetired = faults.some((fault) => fault.isRetired);
  const call: Call = isRetired ? place.retired.call : probeCall(place.name, t.target.address.xmlContentType);
  const changes = faults.flatMap(({ apply }) => (apply ? [apply] : []));
  return t.sendUnderLimit(await callerWith(t, faults), call, ...changes);
}

async function callerWith(t: Trial, faults: readonly Fault[]): Promise<Caller> {
  const wishes = faults.flatMap(({ application }) => (application ? [application] : []));
  if (wishes.length === 0) return t.caller();
  const [only] = wishes;
  if (!t.target.address.control && wishes.length === 1 && only?.subscriptions) {
    return t.callerIn('unsubscribed-application');
  }
  const wish: ApplicationWish = Object.fromEntries(wishes.flatMap((one) => Object.entries(one)));
  return t.callerLike(wish);
}

/** Each fault alone gets its own refusal: only then does its place among others prove anything. */
export async function proveSingles(t: Trial, faults: readonly Fault[], place: Place): Promise<void> {
  for (const fault of faults) {
    const exchange = await sendFaulty(t, [fault], place);
    t.holds(isRefused(exchange, fault.refusal), {
      expected: `${fault.refusal.status}, code ${fault.refusal.code} for ${fault.name} alone`,
      actual: summary(exchange),
    });
  }
}

/** All faults together get the refusal of one of the winners. */
export async function proveWinner(
  t: Trial,
  winners: readonly Fault[],
  losers: readonly Fault[],
  place: Place,
): Promise<void> {
  const faults = [...winners, ...losers];
  const exchange = await sendFaulty(t, faults, place);
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
