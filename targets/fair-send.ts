import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Draft } from '../contract/request.ts';
import { backoffMs } from '../client/backoff.ts';
import type { Exchange } from '../client/transport.ts';
import { echoTwin } from './harmless.ts';
import { NotExercised } from './not-exercised.ts';
import type { Caller, Target } from './target.ts';

/** How often a 429 that nobody asked for is met with the advised backoff. */
const mostBackoffs = 6;
/** How often trouble that also befalls the twin is waited out: 1, 2 and 4 seconds. */
const mostWaits = 3;
/** How often in a row a request meets trouble that spares its twin until the trouble counts as its answer. */
const troubleThatAnswers = 3;
/** After so many checks in a row that found nobody, the next ones don't wait. */
const checksUntilGone = 2;

/** A request that can be made again. */
export interface Attemptable {
  /** Sends it as it is meant, with a timestamp of its own each time. */
  readonly send: () => Promise<Exchange>;
  /** Sends the same without its flaw, or a plain echo where it has none, as an active application. */
  readonly twin: () => Promise<Exchange>;
  /** A 429 is an answer like any other here, not to be waited out, and requests go out as fast as they can. */
  readonly isLimitWanted?: boolean;
}

/**
 * Sends a request until it has an answer that is the target's. Trouble on the way (no response, 502, 503, 504) is the
 * infrastructure's when the twin, sent right after, suffers too: then it is waited out. Trouble that meets this request only,
 * three times in a row, is its answer. Throws a NotExercised where the target is not available or keeps limiting the rate.
 * `note` is told of every hiccup.
 */
export async function sendFairly(
  target: Target,
  { send, twin, isLimitWanted = false }: Attemptable,
  note: (hiccup: string) => void,
): Promise<Exchange> {
  let [backoffs, waits, answers] = [0, 0, 0];
  for (;;) {
    const exchange = await send();
    if (exchange.response?.status === 429 && !isLimitWanted) {
      if (backoffs === mostBackoffs) {
        throw new NotExercised('the target kept answering 429: set NFE_MAX_RPS to a rate that it allows', 'settings');
      }
      await sleep(backoffMs(backoffs++, Math.random));
    } else if (!isTrouble(exchange)) {
      target.ledger.noteAvailable(true);
      return exchange;
    } else if (isTrouble(await twin())) {
      const isGone = target.ledger.unavailableInARow() >= checksUntilGone;
      if (isGone || waits === mostWaits) throw unavailable(target, exchange);
      await sleep(backoffMs(waits++, () => 0));
    } else {
      answers += 1;
      if (answers === troubleThatAnswers) return exchange;
      note(
        `${troubleText(exchange)} to ${exchange.request.method} ${exchange.request.parts.path}, though its twin got through`,
      );
    }
  }
}

function isTrouble({ response }: Exchange): boolean {
  return response === undefined || [502, 503, 504].includes(response.status);
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

/** A correct echo of that token. */
export function plainEcho(token: string, nowSeconds: number): Draft {
  return { call: echoTwin, token, timestamp: String(nowSeconds) };
}

/** Sends calls of a run's set-up as that caller, with the same fairness as a check's. */
export function sendCallAs(target: Target, caller: Caller): (call: Call) => Promise<Exchange> {
  const sent = (call: Call): Promise<Exchange> =>
    target.send({ call, token: caller.appSecret, timestamp: String(caller.now()) });
  const twin = (): Promise<Exchange> => target.send(plainEcho(caller.appSecret, caller.now()));
  return (call) => sendFairly(target, { send: () => sent(call), twin }, () => undefined);
}
