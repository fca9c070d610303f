import type { ClauseId } from '../../contract/catalogue.ts';
import { type CodeName, codes } from '../../contract/values.ts';
import type { EndpointName } from '../../contract/endpoints.ts';
import { member } from '../../schemas/values.ts';
import type { Context } from '../../simulator/gateway/stages.ts';
import type { Reply } from '../../simulator/http/reply.ts';
import type { RequestFacts } from '../../simulator/http/request-facts.ts';
import type { Channel, Outgoing } from '../../simulator/model.ts';
import type { DeliveryRequest } from '../../simulator/rules/webhook-delivery.ts';

/** A right answer on its way to the caller. */
export interface WireAnswer {
  readonly request: RequestFacts;
  readonly context: Context;
  readonly reply: Reply;
  /** The standard endpoint that was asked; `undefined` for retired and unknown paths. */
  readonly endpoint: EndpointName | undefined;
  /** The answer sent before to the same request line of the same caller. */
  readonly before: Reply | undefined;
  /** The answer of status 200 that the endpoint sent last, to whomever. */
  readonly latest: Reply | undefined;
  /** What the gateway would have answered without these of its stages. */
  readonly without: (...stages: readonly string[]) => Promise<Reply | undefined>;
}

/** Which answers a breach may spoil: those for which all that is given holds. */
export interface AnswerMatch {
  readonly endpoints?: readonly EndpointName[];
  readonly statuses?: readonly number[];
  readonly codes?: readonly CodeName[];
  /** Bodies of requests of more bytes only. */
  readonly above?: number;
  readonly where?: (answer: WireAnswer) => boolean;
}

/** An attempt at a delivery, as it would go out. */
export interface WireDelivery {
  readonly outgoing: Outgoing;
  /** Counts from 0, for each event and address. */
  readonly attempt: number;
  /** Its body as it is parsed. */
  readonly json: object;
  /** The event of the channel that went out before, if it was another. */
  readonly otherEventId: string | undefined;
}

/** Which deliveries a breach may spoil. The test of an address is never one of them. */
export interface DeliveryMatch {
  readonly channel?: Channel;
  /** The first attempt, or those after it. */
  readonly attempts?: 'first' | 'retry';
  readonly where?: (delivery: WireDelivery) => boolean;
}

/** How a delivery is spoilt: what is signed, or the whole request after that. */
export interface DeliveryChange {
  readonly timestamp?: (delivery: WireDelivery) => string;
  readonly body?: (json: object, delivery: WireDelivery) => unknown;
  readonly request?: (request: DeliveryRequest, delivery: WireDelivery) => DeliveryRequest;
}

type TopicOf<Id> = Id extends `${infer Topic}.${string}` ? Topic : never;

/** What comes before the dot of an id. */
export type TopicName = TopicOf<ClauseId>;

interface BreachBase {
  /** `<topic>.<what is wrong>`. */
  readonly id: string;
  /** Clauses that a wrong answer breaks, or whole topics: to name one of them is right. */
  readonly breaks: readonly (ClauseId | TopicName)[];
  /** Topics whose checks get such answers, besides those that are broken. */
  readonly met?: readonly TopicName[];
}

/** Something that goes wrong on the wire now and then, while the service behind it is right. */
export type Breach = BreachBase &
  (
    | {
        readonly kind: 'answer';
        readonly match: AnswerMatch;
        /** The wrong answer; `undefined` where none can be made of this one. */
        readonly change: (answer: WireAnswer) => Reply | undefined | Promise<Reply | undefined>;
      }
    | { readonly kind: 'delivery'; readonly match: DeliveryMatch; readonly change: DeliveryChange }
    | { readonly kind: 'lost'; readonly channel: Channel }
  );

/** Whether an answer is one that a breach may spoil. */
export function matchesAnswer(
  { endpoints, statuses, codes: names, above, where }: AnswerMatch,
  answer: WireAnswer,
): boolean {
  const { reply, request, endpoint } = answer;
  return (
    (!endpoints || (endpoint !== undefined && endpoints.includes(endpoint))) &&
    (!statuses || statuses.includes(reply.status)) &&
    (!names || names.some((name) => hasCode(reply, name))) &&
    (above === undefined || request.rawBody.length > above) &&
    (!where || where(answer))
  );
}

/** Whether a delivery is one that a breach may spoil. */
export function matchesDelivery({ channel, attempts, where }: DeliveryMatch, delivery: WireDelivery): boolean {
  const { outgoing, attempt } = delivery;
  return (
    outgoing.eventType !== 'webhook.verify' &&
    (!channel || outgoing.channel === channel) &&
    (!attempts || (attempts === 'first') === (attempt === 0)) &&
    (!where || where(delivery))
  );
}

function hasCode({ status, body }: Reply, name: CodeName): boolean {
  return status === codes[name].status && member(body, 'code') === codes[name].code;
}

/** What is known of a request or a delivery before it is decided whether the wire spoils it. */
export interface Moment {
  /** How many came before it, over all: also those that no breach is about. */
  readonly nth: number;
  /** Tells the connection of a request from others; a delivery has one of its own. */
  readonly connection: number;
  /** Evenly distributed from 0 up to 1; its own. */
  readonly drawn: number;
}

/** When the wire is broken. */
export interface When {
  readonly name: string;
  /** It is so at some node of several. */
  readonly isNode?: true;
  readonly isBroken: (moment: Moment) => boolean;
}

/** So many times in a hundred. */
export function atRate(percent: number): When {
  return { name: `${percent} %`, isBroken: ({ drawn }) => drawn * 100 < percent };
}

/** How a balancer chooses a node: in turn, anew for each request, or once for each connection. */
export const balancings = ['round-robin', 'random', 'sticky'] as const;

/** One node of several behind a balancer. */
export function oneNodeOf(nodes: number, turn: (typeof balancings)[number]): When {
  const isBroken = {
    'round-robin': ({ nth }: Moment) => nth % nodes === 0,
    random: ({ drawn }: Moment) => drawn * nodes < 1,
    sticky: ({ connection }: Moment) => draws(connection)() * nodes < 1,
  }[turn];
  return { name: `1 of ${nodes} nodes, ${turn}`, isNode: true, isBroken };
}

/** Numbers from 0 up to 1 that follow from a seed. */
export function draws(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
