import { endpointError } from '../endpoints/errors.ts';
import { endpointStage } from '../endpoints/router.ts';
import { nowMs } from '../clock.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Service } from '../service.ts';
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
export async function runStages(request: RequestFacts, service: Service): Promise<Reply> {
  const { rules } = service;
  const context = contextOf(request, service);
  for (const stage of rules.stages) {
    const reply = await stage.answer(request, context);
    if (reply) return reply;
  }
  return endpointError('notFound', 'code-message', rules.language.choose(request.headers));
}

/** The application is looked up before any stage runs: its clock judges the timestamp. Looking up is not yet a verdict. */
function contextOf(request: RequestFacts, service: Service): Context {
  const { rules, state } = service;
  const { headerValue } = rules.requiredHeaders;
  const sent = {
    token: headerValue(request, 'token') ?? '',
    timestamp: headerValue(request, 'timestamp') ?? '',
    sign: headerValue(request, 'sign') ?? '',
  };
  const application = rules.token.find(state.applications, sent.token);
  return { ...service, sent, application, nowMs: nowMs(application?.clock ?? 'system') };
}
