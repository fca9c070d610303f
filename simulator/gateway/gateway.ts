import { endpointStage } from '../endpoints/router.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { nowMs } from '../model.ts';
import type { StageName } from '../rules/precedence.ts';
import { notFound, refuseFor } from '../rules/refusal.ts';
import type { Rules } from '../rules/rules.ts';
import type { Service } from '../service.ts';
import {
  applicationStage,
  type Context,
  rateLimitStage,
  requiredHeadersStage,
  retirementStage,
  signatureStage,
  type Stage,
  subscriptionStage,
  timestampStage,
  tokenStage,
} from './stages.ts';

/** Rules, with stages in place of the gateway's own or beside them, by their names. */
export interface StagedRules extends Rules {
  readonly otherStages?: Readonly<Record<string, Stage>>;
}

const ownStages: Readonly<Record<StageName, Stage>> = {
  'required-headers': requiredHeadersStage,
  timestamp: timestampStage,
  token: tokenStage,
  signature: signatureStage,
  retirement: retirementStage,
  application: applicationStage,
  subscription: subscriptionStage,
  'rate-limit': rateLimitStage,
  endpoint: endpointStage,
};

/** The stages that rules name, in their order; an Error for a name that no stage has. */
export function stagesOf({ stages, otherStages }: StagedRules): readonly Stage[] {
  const known: Readonly<Record<string, Stage | undefined>> = { ...ownStages, ...otherStages };
  return stages.map((name) => {
    const stage = known[name];
    if (!stage) throw new Error(`the gateway has no stage ${name}`);
    return stage;
  });
}

/** Takes a request through the stages, of which the first that answers wins; 404 when none of them does. */
export async function runStages(request: RequestFacts, stages: readonly Stage[], service: Service): Promise<Reply> {
  const context = contextOf(request, service);
  for (const stage of stages) {
    const answered = stage.answer(request, context);
    // Of nine stages one at most has to be waited for.
    const reply = answered instanceof Promise ? await answered : answered;
    if (reply) return reply;
  }
  return refuseFor([notFound], request, service.rules);
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
