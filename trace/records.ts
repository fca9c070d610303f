import { calledEndpoint } from '../contract/called-endpoint.ts';
import type { Endpoint } from '../contract/endpoints.ts';
import type { RetiredEndpoint } from '../contract/retired.ts';
import { jsonOf, type WithBody } from '../client/body-text.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import type { Exchange } from '../client/transport.ts';
import type { DeliveryHeader } from '../client/verify-delivery.ts';
import { isRightlySigned } from './rightly-signed.ts';

/** A message as it came: a judge reads its body as text, and as JSON where it is that. */
interface Message {
  /** Names in lower case, each with its first value. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** `undefined` where the body is no JSON. */
  readonly json: unknown;
}

/** A request that was answered in whole. */
export interface ExchangeRecord extends Message {
  readonly kind: 'exchange';
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** What the request line is for; at most one of the two is there. */
  readonly endpoint?: Endpoint;
  readonly retired?: RetiredEndpoint;
  /** Names in lower case, each with its values as HTTP joins them. */
  readonly requestHeaders: ReadonlyMap<string, string>;
  readonly requestBody: Buffer;
  /** Whether token, timestamp and sign are what its caller is to send. */
  readonly isRightlySigned: boolean;
  readonly status: number;
}

/** A delivery that came in whole; what it brings is for a judge to tell by what it holds. */
export interface DeliveryRecord extends Message {
  readonly kind: 'delivery';
  readonly method: string;
  /** The word in the place of `Service` in the five header names. */
  readonly headerPrefix: string;
  readonly arrivedAtMs: number;
}

/** An exchange as a record; `undefined` where no whole answer came that can be read, or the request followed a link. */
export function exchangeRecord({ request, response }: Exchange): ExchangeRecord | undefined {
  if (!response || request.isLink) return undefined;
  if (response.wholeBytes !== undefined || response.undecoded !== undefined) return undefined;
  const called = calledEndpoint(request.method, request.target);
  return {
    kind: 'exchange',
    method: request.method,
    target: request.target,
    ...(called === undefined ? {} : 'name' in called ? { endpoint: called } : { retired: called }),
    requestHeaders: joined(request.headers),
    requestBody: request.rawBody ?? Buffer.alloc(0),
    isRightlySigned: isRightlySigned(request),
    status: response.status,
    ...messageOf(response),
  };
}

/** A delivery as a record; `undefined` where its body was cut. */
export function deliveryRecord(arrival: Arrival, headerPrefix: string): DeliveryRecord | undefined {
  const { method, isTooLarge, arrivedAtMs } = arrival;
  return isTooLarge ? undefined : { kind: 'delivery', method, headerPrefix, arrivedAtMs, ...messageOf(arrival) };
}

/** The value of one of the five headers of a delivery; `undefined` where it is missing. Section 6.1. */
export function brandHeader({ headers, headerPrefix }: DeliveryRecord, header: DeliveryHeader): string | undefined {
  return headers.get(`${headerPrefix}-${header}`.toLowerCase());
}

function joined(headers: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const values = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return new Map([...values].map(([name, sent]) => [name, sent.map(([, value]) => value).join(', ')]));
}

function messageOf(message: WithBody): Message {
  const named = message.headers.toReversed().map(([name, value]) => [name.toLowerCase(), value] as const);
  return { headers: new Map(named), body: message.rawBody, json: jsonOf(message) };
}
