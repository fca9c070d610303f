import { isOfWay } from '../contract/values.ts';
import type { Call, Draft, Origin } from '../contract/request.ts';
import { backoffMs } from '../client/send.ts';
import { type Exchange, epochMs, headerOf } from '../trace/exchange.ts';
import { NotExercised } from './not-exercised.ts';
import { type Finder, sleepLooking, untilBack, atLeastHabit } from './outage.ts';
import { echoTwin } from './traffic/interlock.ts';
import { type Caller, callerFacts } from './applications.ts';
import type { Target } from './target.ts';

/** How often trouble that also befalls the twin is waited out: 1, 2 and 4 seconds, or until the target is back. */
const mostWaits = 3;
/** How often in a row a request meets trouble that spares its twin until the trouble counts as its answer. */
const troubleThatAnswers = 3;
/** After so many checks in a row to which only echo answered, the next ones don't wait. */
const checksUntilGone = 2;

/** A request that can be made again. */
export interface Attemptable {
  /** Sends it as it is meant, with a timestamp of its own each time; once more, where what came of it before was lost. */
  readonly send: (isResent: boolean) => Promise<Exchange>;
  /** Sends the same without its flaw, or a plain echo where it has none, as an active application. */
  readonly twin: (withinMs: number) => Promise<Exchange>;
  /** Whether it has a flaw. */
  readonly isFlawed?: boolean;
  /** Sends a plain echo as an active application. */
  readonly echo: (withinMs: number) => Promise<Exchange>;
  /** A 429 is an answer like any other here, not to be waited out, and requests go out as fast as they can. */
  readonly isLimitWanted?: boolean;
}

/**
 * Sends a request until it has an answer that is the target's. Trouble on the way (no response, 502, 503, 504) is the
 * infrastructure's when the twin, sent right after, suffers too: then it is waited out. Trouble that meets this request only,
 * three times in a row, is its answer. Throws a NotExercised where the target is not available or keeps limiting the rate;
 * where that holds for an echo as well, the whole run ends. `note` is told of every hiccup that an answer came after; what was sent
 * again says so.
 */
export async function sendFairly(
  target: Target,
  attempt: Attemptable,
  note: (hiccup: string) => void,
): Promise<Exchange> {
  const { send, twin, isLimitWanted = false } = attempt;
  let [backoffs, waits] = [0, 0];
  const hiccups: string[] = [];
  for (;;) {
    const isResent = waits + hiccups.length > 0;
    const sent = await send(isResent);
    const exchange: Exchange = isResent ? { ...sent, isResent } : sent;
    const foundMs = Date.now();
    if (exchange.response?.status === 429 && !isLimitWanted) {
      await backOff(target, attempt, exchange, backoffs++);
      continue;
    }
    if (backoffs > 0 && exchange.response) target.ledger.guard.pace.noteServedAgain(target.ledger.sent());
    backoffs = 0;
    if (!isTrouble(exchange)) {
      hiccups.forEach(note);
      target.ledger.noteAvailable(true);
      target.ledger.guard.outages.noteBack();
      return exchange;
    }
    if (isTrouble(await twin(atLeastHabit(target.ledger, target.patience.twinMs)))) {
      const wasGone = await untilBack(finderOf(target, attempt), foundMs, troubleText(exchange));
      const isKnown = !wasGone && target.ledger.unavailableInARow() >= checksUntilGone;
      if (isKnown || waits === mostWaits) throw unavailable(target, exchange);
      if (!wasGone)
        await sleepLooking(
          backoffMs(waits, () => 0),
          target.look,
        );
      waits += 1;
      continue;
    }
    hiccups.push(
      `${troubleText(exchange)} to ${exchange.request.method} ${exchange.request.parts.path}, though its twin got through`,
    );
    if (hiccups.length === troubleThatAnswers || target.isStalled(exchange)) return exchange;
  }
}

/** Waits as the contract advises after a 429 that nobody asked for, as long as the run has patience. */
async function backOff(
  target: Target,
  { echo, twin, isFlawed = false }: Attemptable,
  { request }: Exchange,
  backoffs: number,
): Promise<void> {
  const { ledger, patience } = target;
  const { pace } = ledger.guard;
  pace.noteLimited(backoffs === 0, ledger.sent());
  const pauseMs = backoffMs(backoffs, Math.random);
  if (pace.takePatience(pauseMs, patience.limitMs)) return sleepLooking(pauseMs, target.look);
  const advice = 'NFE_MAX_RPS sets a rate that it allows';
  const rate = `429 at about ${pace.rateWhenLimited()} requests a second, and still after ${Math.round(patience.limitMs / 1000)} s of waiting`;
  const isLimitOfAll = (await echo(patience.twinMs)).response?.status === 429;
  if (isLimitOfAll) ledger.guard.halt('limited', `the target limits the rate: ${rate}: ${advice}`);
  target.look();
  const { method, parts } = request;
  const place = `${method} ${parts.path}`;
  if (isFlawed && (await twin(patience.twinMs)).response?.status === 200)
    throw new NotExercised(`${place} gets 429 for what is wrong with it: the same request without that is served`);
  throw new NotExercised(`the target limits the rate of ${place}: ${rate}: ${advice}`, 'settings');
}

/** Asks by an echo whether the target is there again. */
function finderOf(target: Target, { echo }: Attemptable): Finder {
  const { ledger, patience } = target;
  const isThere: Finder['isThere'] = async (withinMs) => {
    const answer = await echo(withinMs);
    if (!isTrouble(answer)) return true;
    const seconds = Number(answer.response && headerOf(answer.response, 'retry-after'));
    return seconds > 0 && { backInMs: seconds * 1000 };
  };
  return { ledger, patience, look: target.look, isThere };
}

function isTrouble({ response }: Exchange): boolean {
  return response === undefined || isOfWay(response.status);
}

function troubleText({ response, error }: Exchange): string {
  return response ? `HTTP ${response.status}` : `no response (${error})`;
}

function unavailable(target: Target, exchange: Exchange): NotExercised {
  target.ledger.noteAvailable(false);
  return new NotExercised(
    `target unavailable: ${troubleText(exchange)}, and the same for an untouched request`,
    'network',
  );
}

/** A correct draft of a call as that caller, who may not know yet that its secret was rotated, or what it was made like since. */
export function rightDraft(
  { secretsOf, changedStanding }: Pick<Target, 'secretsOf' | 'changedStanding'>,
  caller: Caller,
  call: Call,
): Draft {
  const { appSecret, hasOwnClock } = caller;
  const known = callerFacts(caller);
  const standing = changedStanding(known.name) ?? caller.standing;
  const facts = standing ? callerFacts({ ...caller, standing }) : known;
  const nowSeconds = caller.now();
  const former = secretsOf(facts.name).slice(0, -1);
  const origin: Origin = {
    appSecret: secretsOf(facts.name).at(-1) ?? appSecret,
    nowSeconds,
    ...(hasOwnClock ? {} : { madeAtMs: epochMs() }),
    ...(former.length > 0 ? { formerSecrets: former } : {}),
    caller: facts,
  };
  return { call, token: appSecret, timestamp: String(nowSeconds), origin };
}

/** A correct echo of that token. */
export function plainEcho(token: string, nowSeconds: number): Draft {
  return { call: echoTwin, token, timestamp: String(nowSeconds) };
}

/** Sends calls of a run's set-up as that caller, with the same fairness as a check's. */
export function sendCallAs(target: Target, caller: Caller): (call: Call) => Promise<Exchange> {
  const sent = (call: Call): Promise<Exchange> => target.send(rightDraft(target, caller, call));
  const echo = (withinMs: number): Promise<Exchange> =>
    target.send(plainEcho(caller.appSecret, caller.now()), { withinMs });
  return (call) => sendFairly(target, { send: () => sent(call), twin: echo, echo }, () => undefined);
}
