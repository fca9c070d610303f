import type { Call, Change } from '../../contract/request.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Probe } from '../../generators/probes.ts';
import { type RetiredCall, echoCall } from '../../generators/calls.ts';
import type { ApplicationWish } from '../../targets/control.ts';
import type { Caller } from '../../targets/applications.ts';
import { isRefused, summary } from './reply.ts';
import type { Trial } from './trial.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { limitFault, type Fault } from '../../generators/faults.ts';

/** Enough for two windows of the limit that the control API sets. */
const burstWithControl = 20;

/** When an application was last refused for its limit, in this thread. */
const limitedAt = new Map<string, number>();
/** Less than any window of a limit that a few requests spend. */
const momentMs = 3_000;

/** Cases that a limit is spent for: each of them may take a whole burst. */
export const mostBursts = 3;

/** The first answer that is no 200; the last one where all are. Gives up on a server whose limit nobody told us. */
export async function untilLimited(
  t: Trial,
  caller: Caller,
  call: Call = echoCall('until the limit'),
): Promise<Exchange> {
  const { control, rateBurst } = t.target.address;
  const most = control ? burstWithControl : rateBurst;
  for (let sent = 1; ; sent++) {
    const exchange = await t.sendUnderLimit(caller, call);
    if (exchange.response?.status === 429) limitedAt.set(caller.appSecret, performance.now());
    if (exchange.response?.status !== 200 || (control && sent === most)) return exchange;
    if (sent === most) {
      throw new NotExercised(`no limit within ${most} requests: NFE_RATE_BURST sets how many are tried`, 'settings');
    }
  }
}

/** Where faults are put: a standard endpoint, and the retired path that takes its place when a fault wants one. */
export interface ProbePair {
  readonly probe: Probe;
  readonly retired: RetiredCall;
}

/** Sends one request with all of these faults; it is judged by their order where it is aimed at that. */
async function sendFaulty(
  t: Trial,
  faults: readonly Fault[],
  place: ProbePair,
  send: typeof sendAimed,
): Promise<Exchange> {
  const isRetired = faults.some((fault) => fault.isRetired);
  const call: Call = isRetired ? place.retired.call : place.probe.callAs(t.target.address.xmlContentType);
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
async function sendAsWanted(t: Trial, faults: readonly Fault[], call: Call, ...changes: Change[]): Promise<Exchange> {
  const caller = await callerWith(t, faults);
  return faults.includes(limitFault) ? t.sendUnderLimit(caller, call, ...changes) : t.send(caller, call, ...changes);
}

/** The application that has those of the faults which lie in it; the check's own where none does. */
export async function callerWith(t: Trial, faults: readonly Fault[]): Promise<Caller> {
  const wishes = faults.flatMap(({ application }) => (application ? [application] : []));
  if (wishes.length === 0) return t.caller();
  const [only] = wishes;
  if (!t.target.address.control && wishes.length === 1) {
    if (only?.subscriptions) return t.callerIn('unsubscribed-application');
    if (only?.rateLimit) return t.callerIn('rate-limited-application');
  }
  const wish: ApplicationWish = Object.fromEntries(wishes.flatMap((one) => Object.entries(one)));
  return t.callerLike(wish);
}

/** The answer to a request with these faults; where a limit that is among them was not spent yet, it is spent, and then asked. */
export async function answerTo(
  t: Trial,
  faults: readonly Fault[],
  isWanted: (exchange: Exchange) => boolean,
  send: (as: typeof sendAimed) => Promise<Exchange>,
): Promise<Exchange> {
  if (!faults.includes(limitFault)) return send(sendAimed);
  // Aimed at nothing as long as the limit may not be spent: one that the control API sets is so from the start.
  const exchange = t.target.address.control ? await send(sendAsWanted) : undefined;
  if (exchange && isWanted(exchange)) return exchange;
  const caller = await callerWith(t, faults);
  const limitedAtMs = limitedAt.get(caller.appSecret) ?? -Infinity;
  // Where manners are asked for, what was spent a moment ago is spent.
  if (t.target.address.maxRps === 0 || performance.now() - limitedAtMs > momentMs) await untilLimited(t, caller);
  return send(sendAimed);
}

/** All faults together get the refusal of one of the winners. */
export async function proveWinner(
  t: Trial,
  winners: readonly Fault[],
  losers: readonly Fault[],
  place: ProbePair,
): Promise<void> {
  const faults = [...winners, ...losers];
  const isWon = (exchange: Exchange): boolean => winners.some(({ refusal }) => isRefused(exchange, refusal));
  const exchange = await answerTo(t, faults, isWon, (as) => sendFaulty(t, faults, place, as));
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
