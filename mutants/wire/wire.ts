import { isDeepStrictEqual } from 'node:util';
import { type StagedRules, stagesOf } from '../../simulator/gateway/gateway.ts';
import type { Context, Stage } from '../../simulator/gateway/stages.ts';
import type { Reply } from '../../simulator/http/reply.ts';
import type { RequestFacts } from '../../simulator/http/request-facts.ts';
import type { Outgoing } from '../../simulator/model.ts';
import { findRoute } from '../../simulator/rules/route.ts';
import { referenceRules, type Rules } from '../../simulator/rules/rules.ts';
import { withStages } from '../mutant.ts';
import {
  type Breach,
  matchesAnswer,
  matchesDelivery,
  type WireAnswer,
  type WireDelivery,
  draws,
  type When,
} from './breach.ts';
import { deliveryBreaches } from './deliveries.ts';
import { endpointBreaches } from './endpoints.ts';
import { gatewayBreaches } from './gateway.ts';

/** The reference behind a wire that breaks now and then. */
interface Wire {
  readonly rules: StagedRules;
  /** What went out wrong so far, one line each. */
  readonly sent: readonly string[];
}

type Due = (connection: number) => boolean;
type Count = (line: string) => void;

/** Starts a wire that spoils what a breach is about, when it is broken. What is not wrong in the end is not counted. */
export function wireOf(breach: Breach, when: When, seed: number): Wire {
  const sent: string[] = [];
  const isDue = dueBy(when, seed);
  const count = (line: string): void => void sent.push(line);
  return { rules: rulesOf(breach, isDue, count), sent };
}

function dueBy({ isBroken }: When, seed: number): Due {
  const draw = draws(seed);
  let came = 0;
  return (connection) => isBroken({ nth: came++, connection, drawn: draw() });
}

function rulesOf(breach: Breach, isDue: Due, count: Count): StagedRules {
  switch (breach.kind) {
    case 'answer':
      return withStages(referenceRules, [spoilingStage(breach, isDue, count)]);
    case 'delivery':
      return { ...referenceRules, ...spoilingDeliveries(breach, isDue, count) };
    case 'lost':
      return { ...referenceRules, webhookDelivery: losingEvents(breach, isDue, count) };
  }
}

function spoilingStage(breach: Breach & { kind: 'answer' }, isDue: Due, count: Count): Stage {
  return stageBehind(
    async (answer) => {
      const wrong = await spoilt(breach, answer);
      if (wrong) count(`${lineOf(answer.request)}: ${wrong.status} in place of ${answer.reply.status}`);
      return wrong;
    },
    ({ peerPort }) => isDue(peerPort),
  );
}

/** The whole gateway as one stage, some of whose right answers are replaced on their way out. */
export function stageBehind(
  replace: (answer: WireAnswer) => Promise<Reply | undefined> | void,
  isDue: (request: RequestFacts) => boolean = () => true,
): Stage {
  const stages = stagesOf(referenceRules);
  const before = new Map<string, Reply>();
  const latest = new Map<string, Reply>();
  return {
    name: 'wire',
    async answer(request, context) {
      const isBroken = isDue(request);
      const reply = await firstAnswer(stages, request, context);
      if (!reply) return undefined;
      const key = `${context.sent.token} ${lineOf(request)}`;
      const endpoint = findRoute(request.method, request.path)?.endpoint.name;
      const without = (...names: readonly string[]): Promise<Reply | undefined> =>
        firstAnswer(
          stages.filter(({ name }) => !names.includes(name)),
          request,
          context,
        );
      const [earlier, ofEndpoint] = [before.get(key), endpoint && latest.get(endpoint)];
      const answer = { request, context, reply, endpoint, before: earlier, latest: ofEndpoint, without };
      const wrong = isBroken ? await replace(answer) : undefined;
      if (wrong) return wrong;
      before.set(key, reply);
      if (endpoint && reply.status === 200) latest.set(endpoint, reply);
      return reply;
    },
  };
}

function lineOf({ method, path }: RequestFacts): string {
  return `${method} ${path}`;
}

/** The wrong answer that a breach makes of a right one; `undefined` where it makes none. */
export async function spoilt(
  { match, change }: Breach & { kind: 'answer' },
  answer: WireAnswer,
): Promise<Reply | undefined> {
  const wrong = matchesAnswer(match, answer) ? await change(answer) : undefined;
  return wrong && !isSame(wrong, answer.reply) ? wrong : undefined;
}

async function firstAnswer(
  stages: readonly Stage[],
  request: RequestFacts,
  context: Context,
): Promise<Reply | undefined> {
  for (const stage of stages) {
    const reply = await stage.answer(request, context);
    if (reply) return reply;
  }
  return undefined;
}

function isSame(one: Reply, other: Reply): boolean {
  return one.status === other.status && textOf(one) === textOf(other) && isDeepStrictEqual(one.headers, other.headers);
}

function textOf({ body, content }: Reply): string {
  return content ? content.bytes.toString('latin1') : JSON.stringify(body);
}

function spoilingDeliveries(
  { match, change }: Breach & { kind: 'delivery' },
  isDue: Due,
  count: Count,
): Pick<Rules, 'webhookDelivery' | 'webhookSignature'> {
  const { webhookDelivery, webhookSignature } = referenceRules;
  const see = deliveriesSeen();
  let deliveries = 0;
  const spoilt = new Map<string, WireDelivery>();
  const timestampOf = (outgoing: Outgoing): string => {
    const delivery = spoilt.get(outgoing.deliveryId);
    return (delivery && change.timestamp?.(delivery)) ?? webhookSignature.timestamp(outgoing);
  };
  return {
    webhookSignature: { ...webhookSignature, timestamp: timestampOf },
    webhookDelivery: {
      ...webhookDelivery,
      body(outgoing) {
        const right = webhookDelivery.body(outgoing);
        const isBroken = isDue(++deliveries);
        const delivery = see(outgoing, right);
        if (!isBroken || !matchesDelivery(match, delivery)) return right;
        spoilt.set(outgoing.deliveryId, delivery);
        return change.body ? Buffer.from(JSON.stringify(change.body(delivery.json, delivery))) : right;
      },
      request(request, outgoing) {
        const delivery = spoilt.get(outgoing.deliveryId);
        if (!delivery) return request;
        const wrong = change.request ? change.request(request, delivery) : request;
        const isWrong =
          !isDeepStrictEqual(wrong, request) ||
          !request.rawBody.equals(webhookDelivery.body(outgoing)) ||
          timestampOf(outgoing) !== webhookSignature.timestamp(outgoing);
        if (isWrong) count(`${outgoing.channel} event ${outgoing.eventId}, attempt ${delivery.attempt + 1}`);
        return wrong;
      },
    },
  };
}

/** Numbers the attempts of each event at each address, and remembers the event before. */
function deliveriesSeen(): (outgoing: Outgoing, rawBody: Buffer) => WireDelivery {
  const attempts = new Map<string, number>();
  const latest = new Map<string, string>();
  return (outgoing, rawBody) => {
    const { appKey, channel, eventId, url } = outgoing;
    const attempt = attempts.get(`${eventId} ${url}`) ?? 0;
    attempts.set(`${eventId} ${url}`, attempt + 1);
    const way = `${appKey} ${channel}`;
    const other = latest.get(way);
    latest.set(way, eventId);
    const otherEventId = other === eventId ? undefined : other;
    const json: unknown = JSON.parse(rawBody.toString('utf8'));
    return { outgoing, attempt, json: typeof json === 'object' && json ? json : {}, otherEventId };
  };
}

function losingEvents({ channel }: Breach & { kind: 'lost' }, isDue: Due, count: Count): Rules['webhookDelivery'] {
  const reference = referenceRules.webhookDelivery;
  return {
    ...reference,
    receivers(targets, targetsOf) {
      const [first] = targets;
      if (!isDue(0) || first?.channel !== channel) return reference.receivers(targets, targetsOf);
      count(`${channel} event lost`);
      return [];
    },
  };
}

/** Every breach of the wire. */
export const breaches: readonly Breach[] = [...gatewayBreaches, ...endpointBreaches, ...deliveryBreaches];
