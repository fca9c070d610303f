import { limits } from '../../contract/values.ts';
import type { ClockedCaller } from '../../targets/applications.ts';
import type { OwnInbox } from '../../targets/inbox.ts';
import type { Script } from '../../targets/receiver/address.ts';
import { sleepLooking } from '../../targets/outage.ts';
import type { Arrival } from '../../trace/exchange.ts';
import { beyondRetriesSeconds, refusing } from './attempts.ts';
import { headerOfArrival, ownCallbacks, until } from './callbacks.ts';
import { issue, withEmpresa } from './life-cycle.ts';
import { lacking } from './missing.ts';
import type { Trial } from './trial.ts';
import { noEvent, ownVerdicts, someEvents, verify } from './verdicts.ts';

/**
 * A script that acknowledges when it is asked to what came before that, or refuses it. A duplicate may come later, and would acknowledge
 * in time what is to be acknowledged too late: then it is refused.
 */
function onDemand(seconds: number, first: 200 | 500 = 200): { script: Script; give: () => void; leave: () => void } {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  let hasLeft = false;
  const later = seconds > limits.webhookResponseSeconds ? 500 : 200;
  const script: Script = async () => {
    if (hasLeft && later !== 200) return { status: later };
    const status = hasLeft ? later : first;
    await given;
    return { status };
  };
  return {
    script,
    give: () => give(),
    leave: () => {
      hasLeft = true;
    },
  };
}

/** What came of an event again: at the instant of its next retry by any reading, and in all but at once. */
interface Again {
  readonly atNextRetry: number;
  readonly everLater: number;
}

/** Between which seconds after the first attempt its first retry comes, if it ended within 11 seconds. Section 6.4. */
const firstRetry = { from: 50, to: 86 };

/** Where deliveries of one channel come, and what makes one. */
interface Channel {
  readonly inbox: OwnInbox;
  readonly arrivals: () => readonly Arrival[];
  readonly begin: () => Promise<unknown>;
  readonly kind: Parameters<typeof until>[1];
  /** Why nothing can be told where none comes. */
  readonly lacks: () => Error;
}

/** Verdict events at an address of their own. Section 6.2. */
export async function verdictChannel(t: Trial, caller: ClockedCaller): Promise<Channel> {
  const { inbox, events } = await ownVerdicts(t, caller);
  const begin = async (): Promise<unknown> => verify(t, caller);
  return { inbox, arrivals: events, begin, kind: 'verdict', lacks: () => noEvent(t) };
}

/** Callbacks of a company's issuances at an address of their own. Section 6.1. */
export async function callbackChannel(t: Trial, caller: ClockedCaller): Promise<Channel> {
  const issuer = await withEmpresa(t, caller);
  const { inbox } = await ownCallbacks(t, caller);
  const begin = async (): Promise<unknown> => issue(t, issuer);
  return { inbox, arrivals: () => inbox.arrivals(), begin, kind: 'delivery', lacks: () => lacking(t, 'a callback') };
}

/**
 * What is delivered behind a first attempt that is answered, with 200 unless it says otherwise, after so many seconds of the target's
 * clock, and so many of ours: who sends it, or passes it on, may wait by either. Sections 6.3 and 6.4.
 */
export async function againWhenAnsweredAfter(
  t: Trial,
  open: typeof verdictChannel,
  seconds: number,
  ourSeconds = 0,
  status: 200 | 500 = 200,
): Promise<Again> {
  const caller = await t.target.clockedCaller();
  const { inbox, arrivals, begin, kind, lacks } = await open(t, caller);
  const { script, give, leave } = onDemand(seconds, status);
  let hasStarted = false;
  inbox.answerBy((arrival, index) => {
    hasStarted = true;
    return script(arrival, index);
  });
  await begin();
  await caller.advance(0, 'none');
  await until(t, kind, () => hasStarted);
  if (!hasStarted) throw lacks();
  leave();
  await caller.advance(seconds, 'none');
  // Nothing is waited for, so that nothing is missed.
  await sleepLooking(ourSeconds * 1000, t.target.look);
  give();
  await until(t, kind, () => inbox.deliveries().some(({ hasEnded }) => hasEnded));
  // An event may come twice, at any time; what comes at the instant of a retry is one.
  const counts: number[] = [];
  for (const step of [0, firstRetry.from - seconds, firstRetry.to - firstRetry.from, beyondRetriesSeconds]) {
    await caller.advance(step);
    counts.push(arrivals().length);
  }
  const [atOnce = 0, before = 0, after = 0, all = 0] = counts;
  t.received(...arrivals());
  return { atNextRetry: after - before, everLater: all - atOnce };
}

/** Between an attempt and its timestamp there may be a step: it may bear the time of its instant, or of the end of the step. */
export const stepSeconds = 2;

/** How far the second retry lies, by any reading, behind the answer to the first one. */
const secondRetry = { from: 166, to: 371 };

/**
 * What is delivered behind a first retry that is answered, with 200 unless it says otherwise, after so many seconds of the target's clock;
 * `undefined` where that retry was not seen, or not in time to be answered so. Sections 6.3 and 6.4.
 */
export async function againWhenRetryAnsweredAfter(
  t: Trial,
  seconds: number,
  status: 200 | 500 = 200,
): Promise<Again | undefined> {
  const caller = await t.target.clockedCaller();
  const verdicts = await ownVerdicts(t, caller, refusing);
  await someEvents(t, caller, verdicts);
  const before = verdicts.events().length;
  const { script, give, leave } = onDemand(seconds, status);
  const started: Arrival[] = [];
  verdicts.inbox.answerBy((arrival, index) => {
    started.push(arrival);
    return script(arrival, index);
  });
  // In steps shorter than the time that an attempt has: at its instant it is to go out before that is over.
  await caller.advance(firstRetry.from);
  for (let at = firstRetry.from; at < firstRetry.to && started.length === 0; at += stepSeconds) {
    await caller.advance(stepSeconds, 'none');
    await until(t, 'verdict', () => started.length > 0, 0.3);
  }
  const [retry] = started;
  // It may have gone out some steps before it came.
  const age = caller.now() - Number(retry && headerOfArrival(t, retry, 'Timestamp'));
  const isSure = age >= 0 && age <= seconds;
  leave();
  await caller.advance(isSure ? seconds - age : seconds, 'none');
  give();
  if (retry) await until(t, 'verdict', () => verdicts.events().length > before);
  const counts: number[] = [];
  for (const step of [0, secondRetry.from, secondRetry.to - secondRetry.from, beyondRetriesSeconds]) {
    await caller.advance(step);
    counts.push(verdicts.events().length);
  }
  const [atOnce = 0, early = 0, late = 0, all = 0] = counts;
  t.received(...verdicts.events());
  return isSure ? { atNextRetry: late - early, everLater: all - atOnce } : undefined;
}
