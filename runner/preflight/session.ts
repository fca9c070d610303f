import { isOfWay } from '../../contract/values.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Draft } from '../../contract/request.ts';
import { backoffMs } from '../../client/send.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { TargetAddress, Traffic } from '../../targets/address.ts';
import { openTarget, type Target, type TargetListener } from '../../targets/target.ts';
import { readAnswer, type TargetAnswer, type Silence } from './answer.ts';
import { Control } from '../../targets/control.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { additionOf } from './clauses.ts';
import { notSet, ok, problem, type Remark } from './finding.ts';

/** An answer and when it came. */
export interface Asked {
  readonly answer: TargetAnswer | Silence;
  /** Epoch milliseconds by this machine's clock at which the answer was there. */
  readonly receivedMs: number;
  readonly durationMs: number;
}

/** A target that is being examined. */
export interface Session {
  readonly target: Target;
  readonly traffic: Traffic;
  /** Is told of all that is sent, and done to the target. */
  readonly listener: TargetListener | undefined;
  /**
   * Signs a call that leaves nothing with that secret, `skewSeconds` off this machine's clock, and sends it at the pace of the
   * settings; once more where the connection broke off, or the target asked to wait.
   */
  ask(secret: string, call: Call, skewSeconds: number): Promise<Asked>;
  /** Sends a request as it stands, once. */
  send(draft: Draft): Promise<Asked>;
}

/** How often a 429 or a 503 is waited out, 7 seconds in all, and what a connection that broke off took with it is asked again. */
const mostBackoffs = 3;
/** How a connection ends that was there: one break-off in many says nothing of a target. */
const brokenOff = /ECONNRESET|EPIPE|UND_ERR_SOCKET/;
/** How long an answer is waited for, whatever comes of it in the meantime: whoever waits for a verdict is told soon. */
const patienceMs = 7_000;

/** Opens the target of an address; whoever opens it closes `target`. */
export function openSession(address: TargetAddress, traffic: Traffic, listener?: TargetListener): Session {
  const target = openTarget(address, traffic, listener);
  // A request waits so long for its turn, before it is sent.
  const paceMs = address.maxRps > 0 ? 1000 / address.maxRps : 0;
  const send = async (draft: Draft): Promise<Asked> => {
    const exchange = await withinPatience(target.send(draft), paceMs);
    return { answer: readAnswer(exchange), receivedMs: Date.now(), durationMs: exchange.durationMs };
  };
  return {
    target,
    traffic,
    listener,
    send,
    async ask(secret, call, skewSeconds) {
      for (let attempt = 0; ; attempt++) {
        const timestamp = String(Math.floor(Date.now() / 1000 + skewSeconds));
        const asked = await send({ call, token: secret, timestamp });
        const { answer } = asked;
        const isPassing =
          'status' in answer ? answer.status === 429 || isOfWay(answer.status) : brokenOff.test(answer.error);
        if (!isPassing || attempt === mostBackoffs) return asked;
        if ('status' in answer) await sleep(backoffMs(attempt, () => 0));
      }
    },
  };
}

const silence = `ETIMEDOUT: no complete answer within ${patienceMs / 1000} s`;

/** Asks as the first does: a service that sleeps until somebody calls may need longer for that answer alone, and is asked twice. */
export async function askFirst(session: Pick<Session, 'ask'>, ...asking: Parameters<Session['ask']>): Promise<Asked> {
  const asked = await session.ask(...asking);
  const isAsleep = 'error' in asked.answer && asked.answer.error === silence;
  return isAsleep ? session.ask(...asking) : asked;
}

/** How often is asked again where an answer would end the run. */
const mostLooks = 2;

/**
 * Asks again where an answer is in the way, for one that is not: what is so now and then, as at one node of several, is the target's, to
 * be judged like all that it answers. A limit on the rate, and silence, are taken at once.
 */
export async function askSurely(
  ask: () => Promise<Asked>,
  isInTheWay: (answer: TargetAnswer) => boolean,
): Promise<Asked> {
  let asked = await ask();
  const isToBeAsked = ({ answer }: Asked): boolean => 'status' in answer && answer.status !== 429 && isInTheWay(answer);
  for (let looks = 0; looks < mostLooks && isToBeAsked(asked); looks += 1) asked = await ask();
  return asked;
}

/** An exchange, or that no complete answer came in time, once it has waited so long for its turn. */
function withinPatience(
  exchange: Promise<Exchange>,
  turnMs: number,
): Promise<Pick<Exchange, 'response' | 'error' | 'durationMs'>> {
  const none = { error: silence, durationMs: patienceMs };
  return Promise.race([exchange, sleep(turnMs + patienceMs, none, { ref: false })]);
}

/** What was found of the control API. */
interface Controlled {
  readonly findings: readonly Remark[];
  /** Secret of an application that it made. */
  readonly secret?: string;
  readonly implementation?: string;
}

const examined = 'control API';

/** Asks the control API what it is, and for an application. */
export async function examineControl(
  session: Session,
  { control: place, network }: TargetAddress,
): Promise<Controlled> {
  if (!place)
    return {
      findings: [notSet(examined, 'no application can be made, no clock moved', additionOf('NFE_CONTROL_URL'))],
    };
  const control = new Control(place, network);
  try {
    const { implementation } = await control.description();
    const { appSecret } = await session.target.caller();
    return {
      findings: [ok(examined, `version 1, ${implementation}; it takes the token and makes applications`)],
      secret: appSecret,
      implementation,
    };
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    return { findings: [judgeControlFailure(error.message)] };
  } finally {
    await control.close();
  }
}

export function judgeControlFailure(message: string): Remark {
  const isToken = /with 40[13]\b/.test(message);
  return problem(
    examined,
    message,
    isToken
      ? 'check NFE_CONTROL_TOKEN'
      : 'check NFE_CONTROL_URL, which ends where /control/v1 begins, or unset it with NFE_CONTROL_TOKEN',
  );
}
