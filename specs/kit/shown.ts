import type { Evidence } from '../../schemas/evidence.ts';
import { evidenceOf, evidenceOfDelivery } from '../../trace/evidence.ts';
import type { Veil } from '../../trace/people/veil.ts';
import type { Exchange, Arrival } from '../../trace/exchange.ts';

/** What a check has gathered. */
interface Gathered {
  readonly exchanges: readonly Exchange[];
  /** The case that failed last. */
  readonly failing?: { readonly exchanges: readonly Exchange[] };
  readonly received: Iterable<Arrival>;
}

/** What evidence of a check keeps: the last exchanges of its case, and the last deliveries. */
export interface Most {
  readonly exchanges: number;
  readonly deliveries: number;
  readonly longestBody: number;
  /** Characters of JSON in all. */
  readonly inAll: number;
}

/** Beyond what is shown, so that a secret at its end is masked before it is cut through. */
const margin = 4_096;
const headersShown = { count: 100, longest: 2_000 };
/** A body is shown in the string to sign as well, and as JSON takes more room: a share of what is left for each. */
const share = 6;
/** Where less room is left, nothing more is shown. */
const leastRoom = 4_000;

/**
 * Evidence of the last exchanges of the case that failed, or else of the last one, and of the last deliveries. The last ones
 * come first where there is not room for all: a check fails by its last answer.
 */
export function evidenceIn(record: Gathered, veil: Veil, most: Most): Evidence[] {
  const made = (record.failing?.exchanges ?? record.exchanges)
    .slice(-most.exchanges)
    .map(
      (exchange) => (longest: number) => withHeaders(evidenceOf(bounded(exchange, longest + margin), veil, longest)),
    );
  const received = [...record.received]
    .slice(-most.deliveries)
    .map((arrival) => (longest: number) => deliveryShown(arrival, veil, longest));
  // Deliveries share among themselves: neither is to crowd out the other.
  const ofDeliveries = received.length === 0 ? 0 : most.inAll / 4;
  return [
    ...withinRoom(made, most.longestBody, most.inAll - ofDeliveries),
    ...withinRoom(received, most.longestBody, ofDeliveries),
  ];
}

/** Evidence of a delivery, of whose body no more is looked at than shows. */
export function deliveryShown(arrival: Arrival, veil: Veil, longest: number): Evidence {
  return withHeaders(evidenceOfDelivery(boundedArrival(arrival, longest + margin), veil, longest));
}

function withinRoom(makers: readonly ((longest: number) => Evidence)[], longest: number, room: number): Evidence[] {
  const shown: Evidence[] = [];
  let left = room;
  for (const make of makers.toReversed()) {
    if (left < leastRoom) break;
    const evidence = make(Math.min(longest, Math.floor(left / share)));
    left -= JSON.stringify(evidence).length;
    shown.unshift(evidence);
  }
  return shown;
}

/** As much of an exchange as can show, so that no mask runs over what does not. */
export function bounded(exchange: Exchange, mostBytes: number): Exchange {
  const { response, ...rest } = startOf(exchange, mostBytes);
  return response ? { ...rest, response: { ...response, headers: boundedHeaders(response.headers) } } : rest;
}

function boundedArrival(arrival: Arrival, mostBytes: number): Arrival {
  const { rawBody } = arrival;
  const headers = boundedHeaders(arrival.headers);
  if (rawBody.length <= mostBytes) return { ...arrival, headers };
  return { ...arrival, headers, rawBody: wholeCharacters(rawBody, mostBytes), wholeBytes: rawBody.length };
}

function boundedHeaders(headers: Arrival['headers']): Arrival['headers'] {
  const { count, longest } = headersShown;
  const most = longest + margin;
  const shown = headers
    .slice(0, count)
    .map(([name, value]): [string, string] => [name.slice(0, longest), value.slice(0, most)]);
  const left = headers.length - shown.length;
  return left === 0 ? shown : [...shown, ['(more headers)', String(left)]];
}

/** The evidence without what of a header was only there to be masked. */
function withHeaders({ request, response, ...rest }: Evidence): Evidence {
  return {
    ...rest,
    request: { ...request, headers: shownHeaders(request.headers) },
    ...(response ? { response: { ...response, headers: shownHeaders(response.headers) } } : {}),
  };
}

function shownHeaders(headers: readonly [string, string][]): [string, string][] {
  return headers.map(([name, value]) => [name, value.slice(0, headersShown.longest)]);
}

/** What a check holds of the bodies of its case; what is older is cut to its start. */
const mostHeldBytes = 8 * 1024 * 1024;
/** As much of a body as evidence may want to show. */
const startBytes = 32 * 1024;

/** Bytes of the bodies of exchanges. */
function bytesOf({ response }: Exchange): number {
  return response?.rawBody.length ?? 0;
}

/** Adds an exchange to those of a case. `cut` is told which exchange has been replaced by which. */
export function hold(exchanges: Exchange[], exchange: Exchange, cut: (whole: Exchange, start: Exchange) => void): void {
  exchanges.push(exchange);
  let heldBytes = 0;
  for (const each of exchanges) heldBytes += bytesOf(each);
  for (let at = 0; heldBytes > mostHeldBytes && at < exchanges.length - 1; at++) {
    const whole = exchanges[at];
    if (!whole || bytesOf(whole) <= startBytes) continue;
    const start = startOf(whole, startBytes);
    exchanges[at] = start;
    heldBytes -= bytesOf(whole) - bytesOf(start);
    cut(whole, start);
  }
}

/** The exchange with no more than the start of the body of its response. */
export function startOf(exchange: Exchange, mostBytes: number): Exchange {
  const { response } = exchange;
  if (!response || response.rawBody.length <= mostBytes) return exchange;
  // A copy: a part of a buffer keeps the whole of it.
  const rawBody = Buffer.from(wholeCharacters(response.rawBody, mostBytes));
  return {
    ...exchange,
    response: { ...response, rawBody, wholeBytes: response.wholeBytes ?? response.rawBody.length },
  };
}

/** The first bytes of a text, cut between two characters of UTF-8. */
export function wholeCharacters(bytes: Buffer, mostBytes: number): Buffer {
  let end = Math.min(bytes.length, mostBytes);
  while (end < bytes.length && end > mostBytes - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
}
