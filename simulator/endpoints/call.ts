import { setTimeout as sleep } from 'node:timers/promises';
import type { EndpointName } from '../../contract/endpoints.ts';
import { type AnswerFault, answerFaults } from '../../schemas/faults-on-demand.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Application } from '../model.ts';
import { refuse } from '../rules/envelope.ts';
import { type Refusal, systemError } from '../rules/refusal.ts';
import type { Service } from '../service.ts';
import type { Strike } from '../state/armed-faults.ts';

/** What an endpoint answers by, besides the request: the service, and who calls it. */
export interface Call extends Service {
  /** The application that the gateway has let through. */
  readonly caller: Application;
  /** Unix milliseconds on the caller's clock. */
  readonly nowMs: number;
  /** The answer that refuses for these reasons, in the shape of the endpoint. */
  readonly refuse: (...reasons: readonly Refusal[]) => Reply;
}

type Work = () => Reply | Promise<Reply>;

/** What each fault makes of a request; whether its work is done shows in whether it is called. */
const strikes: Readonly<
  Record<AnswerFault, (work: Work, request: RequestFacts, call: Call) => Reply | Promise<Reply>>
> = {
  lost: async (work) => ({ ...(await work()), cut: 'closed' }),
  'reset-before': () => ({ status: 0, cut: 'reset' }),
  'reset-after': async (work) => ({ ...(await work()), cut: 'reset' }),
  slow: (work) => work(),
  'system-error': (_, { headers }, { rules }) => {
    const { code, status = 500, message } = systemError;
    const text = typeof message === 'string' ? message : message[rules.language.choose(headers)];
    return { status, body: rules.codeMessage.body(code, text) };
  },
  'rate-limit': (_, request, { rules }) => refuse(rules.rateLimit.code, request, rules),
};

/**
 * Does the work of an endpoint, or what a fault on demand makes of it. Each answer says in `X-Simulator-Faults` what is armed, so
 * that nobody takes the application for one that is to be judged.
 */
export function answerUnlessStruck(
  endpoint: EndpointName,
  request: RequestFacts,
  call: Call,
  work: Work,
): Reply | Promise<Reply> {
  const { appKey } = call.caller;
  const { faults } = call.state;
  const armed = faults.armedAt(appKey, call.nowMs).map(({ wish }): string => wish.kind);
  const strike = faults.strike(appKey, { kinds: answerFaults, on: endpoint, ...request }, call.nowMs);
  if (!strike && armed.length === 0) return work();
  const told = [...new Set([...armed, ...(strike ? [strike.kind] : [])])];
  return marked(told, strike, () => (strike ? strikes[strike.kind](work, request, call) : work()));
}

/** What is answered once the strike has been waited for, with what is armed. */
async function marked(told: readonly string[], strike: Strike<AnswerFault> | undefined, answer: Work): Promise<Reply> {
  const reply = await answer();
  if (strike && strike.delaySeconds > 0) await sleep(strike.delaySeconds * 1000, undefined, { ref: false });
  return {
    ...reply,
    headers: { ...reply.headers, 'x-simulator-faults': `${told.length}: ${told.join(', ')}` },
    notes: [...(reply.notes ?? []), ...(strike ? [`fault: ${strike.kind}`] : [])],
  };
}
