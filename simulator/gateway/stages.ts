import { endpointError } from '../endpoints/errors.ts';
import { endpointStage } from '../endpoints/router.ts';
import { nowMs } from '../clock.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Rules } from '../rules.ts';
import type { State } from '../state/state.ts';
import { applicationStage } from './application.ts';
import { rateLimitStage } from './rate-limit.ts';
import { requiredHeadersStage } from './required-headers.ts';
import { retirementStage } from './retirement.ts';
import { signatureStage } from './signature.ts';
import type { Context, Stage } from './stage.ts';
import { subscriptionStage } from './subscription.ts';
import { timestampStage } from './timestamp.ts';
import { tokenStage } from './token.ts';

/** The gateway's precedence rule: the first of these that answers wins. Sections 4.3, 7.1 and 7.2. */
export const stages: readonly Stage[] = [
  requiredHeadersStage,
  timestampStage,
  tokenStage,
  signatureStage,
  retirementStage,
  applicationStage,
  subscriptionStage,
  rateLimitStage,
  endpointStage,
];

/** Takes a request through the stages; 404 when none of them answers. */
export async function runStages(request: RequestFacts, rules: Rules, state: State): Promise<Reply> {
  const context = contextOf(request, rules, state);
  for (const stage of rules.stages) {
    const reply = await stage.answer(request, context);
    if (reply) return reply;
  }
  return endpointError('notFound', 'code-message', rules.language.choose(request.headers));
}

/** The application is looked up before any stage runs: its clock judges the timestamp. Looking up is not yet a verdict. */
function contextOf(request: RequestFacts, rules: Rules, { applications, rateWindows }: State): Context {
  const { headerValue } = rules.requiredHeaders;
  const sent = {
    token: headerValue(request, 'token') ?? '',
    timestamp: headerValue(request, 'timestamp') ?? '',
    sign: headerValue(request, 'sign') ?? '',
  };
  const application = rules.token.find(applications, sent.token);
  return { rules, sent, application, nowMs: nowMs(application?.clock ?? 'system'), rateWindows };
}
