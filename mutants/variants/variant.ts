import type { ClauseId } from '../../contract/catalogue.ts';
import type { EndpointName } from '../../contract/endpoints.ts';
import type { StagedRules } from '../../simulator/gateway/gateway.ts';
import type { Context } from '../../simulator/gateway/stages.ts';
import type { Reply } from '../../simulator/http/reply.ts';
import type { RequestFacts } from '../../simulator/http/request-facts.ts';
import { findRoute } from '../../simulator/rules/route.ts';
import type { Rules } from '../../simulator/rules/rules.ts';
import { behindStages } from '../mutant.ts';
import { isObject } from '../../schemas/values.ts';

/** A simulator that differs from the reference in what the contract leaves open: the suite must let it pass. */
export interface Variant {
  readonly id: string;
  /** Implied clauses that it does not keep: it may be warned of these, and of nothing else. */
  readonly unlike?: readonly ClauseId[];
  /** Makes other rules of some; what these remember is each simulator's own. */
  readonly change: (rules: StagedRules) => StagedRules;
}

type Topics = Exclude<keyof Rules, 'stages'>;

/** Replaces rules of one topic; the new ones may ask the old ones. */
export function withTopic<Topic extends Topics>(
  topic: Topic,
  change: (own: Rules[Topic], rules: Rules) => Partial<Rules[Topic]>,
): Variant['change'] {
  return (rules) => ({ ...rules, [topic]: { ...rules[topic], ...change(rules[topic], rules) } });
}

/** One change after the other. */
export function all(...changes: readonly Variant['change'][]): Variant['change'] {
  return (rules) => changes.reduce((changed, change) => change(changed), rules);
}

/** Changes a reply of the service on its way out. */
export type ReplyChange = (reply: Reply, request: RequestFacts, context: Context) => Reply | Promise<Reply>;

/** Changes each reply of the service, whoever in it answers; `make` is called once for each simulator. */
export function withReplies(make: () => ReplyChange): Variant['change'] {
  return (rules) => {
    const change = make();
    return behindStages(rules, async (request, context, original) => {
      const reply = await original.answer(request, context);
      return reply && change(reply, request, context);
    });
  };
}

/** Changes the replies of some endpoints: not those of the gateway before them. */
export function withRepliesOf(names: readonly EndpointName[] | 'any', change: ReplyChange): Variant['change'] {
  return withReplies(() => (reply, request, context) => {
    const name = findRoute(request.method, request.path)?.endpoint.name;
    const isGateway = [401, 403, 410, 429].includes(reply.status);
    const isMeant = name !== undefined && !isGateway && (names === 'any' || names.includes(name));
    return isMeant ? change(reply, request, context) : reply;
  });
}

/** A JSON object with members more, or others; what is no object stays as it is. */
export function extended(value: unknown, members: object): unknown {
  return isObject(value) ? { ...value, ...members } : value;
}
