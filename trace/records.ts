import { calledEndpoint } from '../contract/called-endpoint.ts';
import type { Endpoint } from '../contract/endpoints.ts';
import type { RetiredEndpoint } from '../contract/retired.ts';
import { jsonOf } from '../client/body-text.ts';
import type { Arrival } from '../client/receiver-arrival.ts';
import type { Exchange } from '../client/transport.ts';
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

/** By which of the two push channels a delivery came. Section 6. */
export type Channel = 'issuance' | 'verification';

/** A delivery that came in whole. */
export interface DeliveryRecord extends Message {
  readonly kind: 'delivery';
  readonly method: string;
  readonly channel: Channel;
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
    ...messageOf(response.headers, response.rawBody),
    json: jsonOf(response),
  };
}

/** A delivery as a record; `undefined` where it was cut, or tells by no field by which channel it came. */
export function deliveryRecord(arrival: Arrival, headerPrefix: string): DeliveryRecord | undefined {
  const { method, headers, rawBody, isTooLarge, arrivedAtMs } = arrival;
  const message = messageOf(headers, rawBody);
  const channel = isTooLarge ? undefined : channelOf(message.json);
  return channel && { kind: 'delivery', method, channel, headerPrefix, arrivedAtMs, ...message };
}

/** Each channel has bodies of its own. Sections 2.3 and 6.6. */
function channelOf(json: unknown): Channel | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  if ('nfeStatus' in json || 'tipo' in json) return 'issuance';
  return 'event_type' in json && json.event_type !== 'webhook.verify' ? 'verification' : undefined;
}

function joined(headers: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  const values = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return new Map([...values].map(([name, sent]) => [name, sent.map(([, value]) => value).join(', ')]));
}

function messageOf(headers: readonly (readonly [string, string])[], body: Buffer): Message {
  const named = headers.toReversed().map(([name, value]) => [name.toLowerCase(), value] as const);
  return { headers: new Map(named), body, json: parsed(body) };
}

function parsed(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}
