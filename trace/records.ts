import type { promisesOfDelivery } from '../contract/clause.ts';
import type { ClauseId } from '../contract/catalogue.ts';
import { calledEndpoint, type Endpoint, type RetiredEndpoint } from '../contract/endpoints.ts';
import type { CallerFacts } from '../contract/request.ts';
import type { AnswerContent } from '../schemas/evidence.ts';
import { jsonIn, jsonOf, type WithBody, type Arrival, type Exchange } from './exchange.ts';
import { headersAsSent } from '../client/sign.ts';
import type { DeliveryHeader } from '../client/verify-delivery.ts';
import { idsOfCall, idsOfDelivery, idsOfDocument, type Ids } from './ids.ts';
import { isRightlySigned, nowAt, signingFactsOf, type SigningFacts } from './signing.ts';

/** A message as it came: a judge reads its body as text, and as JSON where it is that. */
interface Message {
  /** Names in lower case, each with its first value. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** `undefined` where the body is no JSON. */
  readonly json: unknown;
  readonly ids: Ids;
}

/** What a check put to the test by a request. */
export interface Aim {
  /** The clause that says how it is to be answered. */
  readonly clause: ClauseId;
  /** `accepted`: it has to pass the gateway. Else the faults that it was given, each with the platform code of its refusal. */
  readonly faults: 'accepted' | readonly { readonly name: string; readonly code: number }[];
  /** What a target that lets it pass all the same gets wrong. */
  readonly hint?: string;
}

/** A request that was answered in whole. */
export interface ExchangeRecord extends Message {
  readonly kind: 'exchange';
  readonly sentAtMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** What the request line is for; at most one of the two is there. */
  readonly endpoint?: Endpoint | undefined;
  readonly retired?: RetiredEndpoint | undefined;
  /** Names in lower case, each with its values as HTTP joins them. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  readonly requestBody: Buffer;
  /** Absent where it is not known who sent it. */
  readonly caller?: CallerFacts | undefined;
  /** Unix seconds of its caller's clock. */
  readonly nowSeconds?: number | undefined;
  readonly signing?: SigningFacts | undefined;
  /** Whether token, timestamp and sign are what its caller is to send. */
  readonly isRightlySigned: boolean;
  readonly aim?: Aim | undefined;
  /** It was sent before, and what came of that was lost on the way: the target may have taken it then. */
  readonly isResent?: true | undefined;
  /** Others of ours went out at the same moment. */
  readonly isOfBurst?: true | undefined;
  /** Local port of the connection that the answer came over. */
  readonly connection?: number | undefined;
  /** Name of the address of ours that it registers for callbacks. */
  readonly address?: string | undefined;
  readonly status: number;
}

/** A request that got no answer at all, since its connection broke. */
export interface LostRecord extends Pick<
  ExchangeRecord,
  'sentAtMs' | 'durationMs' | 'endpoint' | 'retired' | 'aim' | 'isOfBurst'
> {
  readonly kind: 'lost';
}

/** A link to a document that was followed. */
export interface LinkRecord extends Message {
  readonly kind: 'link';
  readonly sentAtMs: number;
  readonly durationMs: number;
  readonly status: number;
}

/** An address of ours at which deliveries arrive, as it was given to the target. */
export interface AddressFacts {
  /** Tells one from another. */
  readonly name: string;
  readonly channel: 'issuance' | 'verification';
  /** Name of the application that it was registered for. */
  readonly caller: string;
  /** Whether that application has a clock of its own. */
  readonly hasOwnClock?: true;
  /** How it was registered; absent of what an earlier run did. */
  readonly registered?: Registered;
}

/** An address as it was registered: its path and query, and how long its token is, where it has one. Section 4.1, endpoint 4. */
export interface Registered {
  readonly target: string;
  readonly tokenBytes?: number;
}

/** What the signature of a delivery is, by the secrets of its application that are known. */
const signatureKinds = ['right', 'by a former secret', 'in capitals', 'by another key', 'wrong'] as const;

/** A delivery that came in whole; what it brings is for a judge to tell by what it holds. */
export interface DeliveryRecord extends Message {
  readonly kind: 'delivery';
  readonly method: string;
  /** Path and query as they were called. */
  readonly target: string;
  /** The word in the place of `Service` in the five header names. */
  readonly headerPrefix: string;
  readonly arrivedAtMs: number;
  /** Where it came to; absent of what others know, too. */
  readonly address?: AddressFacts;
  /** What it was answered with; absent where that is not known. */
  readonly answer?: number | 'hang-up';
  /** What the answer held besides its status; absent where that is nothing. */
  readonly answerContent?: AnswerContent;
  /** Milliseconds until it was answered. */
  readonly answeredAfterMs?: number;
  /** Absent where no secret of its application is known. */
  readonly signature?: (typeof signatureKinds)[number];
  /** How a signature that is not right seems to be made. */
  readonly signatureHint?: string;
  /** The signature that is due, where another one came. */
  readonly rightSignature?: string;
  /** Whether it was called as it was registered, its query included; absent where that is not known. */
  readonly isExact?: boolean;
  /** Whether its token header is the token that was registered; absent where none was. */
  readonly hasToken?: boolean;
  /** How a token that is not the registered one seems to be made of it. */
  readonly tokenHint?: string;
  /** Where in it, besides its token header, an App Secret of its application stands: the name of a header, or `the body`. */
  readonly secretIn?: string;
  /** Unix seconds of the target's clock as it arrived, where its application is on the system's. */
  readonly nowSeconds?: number;
}

/** A call of the control API: what was done to the target besides. */
export interface SteeringRecord {
  readonly kind: 'steering';
  readonly atMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** Behind `/control/v1`. */
  readonly path: string;
  readonly json: unknown;
  /** App Key of the application that it was done to, or that came of it. */
  readonly application?: string;
  /** 0 where no answer came: it may have been done all the same. */
  readonly status: number;
  readonly ids: Ids;
}

/** A clause that promises a delivery. */
export type PromiseOfDelivery = (typeof promisesOfDelivery)[number];

/** That a delivery was waited for which a clause promises, until after its first retry: only who waits can tell of what did not come. */
export interface AwaitedRecord {
  readonly kind: 'awaited';
  readonly atMs: number;
  readonly clause: PromiseOfDelivery;
  readonly hasCome: boolean;
}

/** Something that happened in a run. */
export type TraceRecord = ExchangeRecord | LostRecord | LinkRecord | DeliveryRecord | SteeringRecord | AwaitedRecord;

/** An exchange as a record; `undefined` where no whole answer came that can be read, and the connection may not be to blame. */
export function exchangeRecord(exchange: Exchange, aim?: Aim): ExchangeRecord | LostRecord | LinkRecord | undefined {
  const { request, response, sentAtMs, durationMs, isResent, isOfBurst } = exchange;
  if (!response) return lostRecord(exchange, aim);
  if (response.wholeBytes !== undefined || response.undecoded !== undefined) return undefined;
  const { status } = response;
  const message = messageOf(response);
  if (request.isLink)
    return {
      kind: 'link',
      sentAtMs: sentAtMs ?? 0,
      durationMs,
      status,
      ...message,
      ids: { ...idsOfDocument(response.rawBody), links: [request.target] },
    };
  const { method, target, origin, rawBody = Buffer.alloc(0) } = request;
  const { endpoint, retired } = calledBy(method, target);
  const signing = signingFactsOf(request, sentAtMs);
  return {
    kind: 'exchange',
    sentAtMs: sentAtMs ?? 0,
    durationMs,
    method,
    target,
    endpoint,
    retired,
    requestHeaders: joined(headersAsSent(request)),
    requestBody: rawBody,
    nowSeconds: origin && nowAt(origin, sentAtMs),
    caller: origin?.caller,
    signing,
    isRightlySigned: isRightlySigned(signing),
    aim,
    isResent,
    isOfBurst,
    connection: response.connection,
    status,
    ...message,
    ids: endpoint ? idsOf(endpoint, target, rawBody, message.json) : {},
  };
}

/** Who refuses a body that is larger may close the connection while it is still sent, and the answer is lost for that. */
const mostSentBytes = 16 * 1024;

function lostRecord({ request, sentAtMs, durationMs, isLate, isOfBurst }: Exchange, aim?: Aim): LostRecord | undefined {
  const { method, target, isLink, rawBody } = request;
  if (isLate || isLink || sentAtMs === undefined || (rawBody?.length ?? 0) > mostSentBytes) return undefined;
  return { kind: 'lost', sentAtMs, durationMs, ...calledBy(method, target), aim, isOfBurst };
}

/** What a request line is for. */
export function calledBy(method: string, target: string): Pick<ExchangeRecord, 'endpoint' | 'retired'> {
  const called = calledEndpoint(method, target);
  return called && 'name' in called
    ? { endpoint: called, retired: undefined }
    : { endpoint: undefined, retired: called };
}

function idsOf(endpoint: Endpoint, target: string, rawBody: Buffer, came: unknown): Ids {
  const sent = endpoint.body === 'json' ? jsonIn(rawBody.toString('utf8')) : undefined;
  return {
    ...idsOfCall(endpoint, target, sent, came),
    ...(endpoint.body === 'xml' ? idsOfDocument(rawBody) : {}),
  };
}

/** What is known of a delivery besides what came. */
export type DeliveryContext = Pick<
  DeliveryRecord,
  | 'address'
  | 'answer'
  | 'answerContent'
  | 'answeredAfterMs'
  | 'signature'
  | 'signatureHint'
  | 'rightSignature'
  | 'isExact'
  | 'hasToken'
  | 'tokenHint'
  | 'secretIn'
  | 'nowSeconds'
>;

/** A delivery as a record; `undefined` where its body was cut. */
export function deliveryRecord(
  arrival: Arrival,
  headerPrefix: string,
  context: DeliveryContext = {},
): DeliveryRecord | undefined {
  const { method, target, isTooLarge, arrivedAtMs } = arrival;
  if (isTooLarge) return undefined;
  const message = messageOf(arrival);
  const eventId = message.headers.get(`${headerPrefix}-event-id`.toLowerCase());
  const ids = idsOfDelivery(message.json, eventId, message.body);
  return { kind: 'delivery', method, target, headerPrefix, arrivedAtMs, ...context, ...message, ids };
}

/** The value of one of the five headers of a delivery; `undefined` where it is missing. Section 6.1. */
export function brandHeader(
  { headers, headerPrefix }: Pick<DeliveryRecord, 'headers' | 'headerPrefix'>,
  header: DeliveryHeader,
): string | undefined {
  return headers.get(`${headerPrefix}-${header}`.toLowerCase());
}

/** Values of headers by their names in lower case, those of one name as HTTP joins them. */
export function joined(headers: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const values = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return new Map([...values].map(([name, sent]) => [name, sent.map(([, value]) => value).join(', ')]));
}

/** The first value of each header by its name in lower case. */
export function firstValues(headers: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(headers.toReversed().map(([name, value]) => [name.toLowerCase(), value] as const));
}

function messageOf(message: WithBody): Omit<Message, 'ids'> {
  return { headers: firstValues(message.headers), body: message.rawBody, json: jsonOf(message) };
}

/** What a cache has to do with a wrong answer that says itself that one kept it. */
export const cachedAnswer = 'the answer is an earlier one, which a cache had kept: its headers say so';

/** Headers in which caches tell that they had an answer. */
const headersOfCaches = ['x-cache', 'x-cache-status', 'cache-status', 'cf-cache-status', 'x-proxy-cache'] as const;

/**
 * Whether an answer says that it has been in a cache: by its age in seconds, by a word of the cache, or by the number that Varnish
 * gives the request which had filled it. Names in lower case.
 */
export function isCached(headers: ReadonlyMap<string, string>): boolean {
  const isHit = headersOfCaches.some((name) => /(?<![a-z])hit(?![a-z]|=\?0)/i.test(headers.get(name) ?? ''));
  const isOfVarnish = /^\d+ \d+$/.test(headers.get('x-varnish') ?? '');
  return isHit || isOfVarnish || Number(headers.get('age') ?? 0) > 0;
}
