import { lookup as systemLookup } from 'node:dns';
import { type LookupFunction, BlockList, isIP, isIPv4, isIPv6 } from 'node:net';
import { Agent, buildConnector, type Dispatcher, interceptors } from 'undici';
import type { AnswerHeaders } from '../model.ts';
import type { DeliveryRequest } from '../rules/webhook-delivery.ts';

/** What came of a request: a status, whose body is still being thrown away until `rest` ends, or why there is none. */
export type Sent =
  | { readonly status: number; readonly headers: AnswerHeaders; readonly rest: Promise<void> }
  | { readonly error: string };

/** Sends deliveries. */
export interface Sender {
  /** Sends one request, on a connection of its own; ends early, with the signal's reason as error. Never rejects. */
  send(request: DeliveryRequest, signal: AbortSignal): Promise<Sent>;
  /** Why an address may not be called, as far as its name tells now; `undefined` when it may be. */
  refusal(url: string): Promise<string | undefined>;
  /** Ends every connection. */
  close(): Promise<void>;
}

export interface SenderOptions {
  /** Refuse to connect to addresses that are not public. */
  readonly publicCallbacksOnly: boolean;
  readonly redirectsFollowed: number;
  /** Resolves names; the system's when absent. */
  readonly lookup?: LookupFunction;
}

const largestResponseBytes = 64 * 1024;
const connectMs = 10_000;

/** Opens a sender. */
export function openSender({ publicCallbacksOnly, redirectsFollowed, lookup = systemLookup }: SenderOptions): Sender {
  const connect = publicCallbacksOnly
    ? publicOnly(lookup, (checked) => buildConnector({ timeout: connectMs, allowH2: false, lookup: checked }))
    : buildConnector({ timeout: connectMs, allowH2: false, lookup });
  // No pipelining means no keep-alive: a receiver that drops idle connections fails no attempt. The caller times.
  const agent = new Agent({ pipelining: 0, headersTimeout: 0, bodyTimeout: 0, connect });
  const dispatcher =
    redirectsFollowed === 0 ? agent : agent.compose(interceptors.redirect({ maxRedirections: redirectsFollowed }));
  return {
    send: (request, signal) => sendBy(dispatcher, request, signal),
    refusal: async (url) => (publicCallbacksOnly ? await refusalOf(url, lookup) : undefined),
    close: () => agent.destroy(),
  };
}

async function sendBy(dispatcher: Dispatcher, request: DeliveryRequest, signal: AbortSignal): Promise<Sent> {
  try {
    const { method, url, headers, rawBody } = request;
    const { origin, path, authorization } = callPartsOf(url);
    const sentHeaders = { ...headers, ...(authorization === undefined ? {} : { authorization }) };
    const answer = await dispatcher.request({ origin, path, method, headers: sentHeaders, body: rawBody, signal });
    const rest = answer.body.dump({ limit: largestResponseBytes, signal }).catch(() => undefined);
    return { status: answer.statusCode, headers: answer.headers, rest };
  } catch (error) {
    return { error: failureText(error) };
  }
}

/** An address, taken apart for a request. */
interface CallParts {
  readonly origin: string;
  /** Path and query as they were given, where a request line can hold them. */
  readonly path: string;
  /** Where the address names a user. */
  readonly authorization?: string;
}

/** Takes an address apart: nothing of its path and query is decoded, resolved or otherwise tidied. */
export function callPartsOf(url: string): CallParts {
  const parsed = new URL(url);
  const [, given = ''] = /^https?:\/\/[^/?#]*([^#]*)/i.exec(url) ?? [];
  const path = /^[\x21-\x7e]*$/.test(given) ? given : parsed.pathname + parsed.search;
  const { username, password, origin } = parsed;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    origin,
    path: path.startsWith('/') ? path : `/${path}`,
    ...(user === ':' ? {} : { authorization: `Basic ${Buffer.from(user).toString('base64')}` }),
  };
}

/** The code and message of a failure, in one line without the stack: "ECONNREFUSED: connect …". */
function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = error instanceof AggregateError ? error.errors.map(failureText).join('; ') : error.message;
  return code === '' || message.includes(code) ? message : `${code}: ${message}`;
}

/**
 * A connector that reaches public addresses only. What counts is the address that is connected to, of each connection: a name
 * that has changed its address since it was registered gets no further.
 */
function publicOnly(
  lookup: LookupFunction,
  connectorOf: (lookup: LookupFunction) => buildConnector.connector,
): buildConnector.connector {
  const connect = connectorOf(checkedLookup(lookup));
  return (options, callback) => {
    const host = unbracketed(options.hostname);
    // An address needs no lookup, so the lookup would not see it.
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(notPublic(host), null);
    else connect(options, callback);
  };
}

/** Why an address may not be called, as far as it tells now; `undefined` when it may be. */
function refusalOf(url: string, lookup: LookupFunction): Promise<string | undefined> {
  const host = unbracketed(new URL(url).hostname);
  return new Promise((resolve) => {
    if (isIP(host) !== 0) return resolve(isPublicAddress(host) ? undefined : notPublic(host).message);
    checkedLookup(lookup)(host, { all: true }, (error) => resolve(error?.message));
  });
}

function checkedLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const refused = addresses.find((address) => !isPublicAddress(address));
      if (refused === undefined && addresses.length > 0) callback(null, found, family);
      else callback(notPublic(refused ?? host), found, family);
    });
  };
}

function notPublic(address: string): Error {
  return new Error(`${address} is not a public address, and the simulator calls no other (--public-callbacks-only)`);
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Whether an IP address is one that anybody on the internet reaches. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialPurpose.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, belongs to a link of this machine.
  return isIPv6(address) && !address.includes('%') && !specialPurpose.check(address, 'ipv6');
}

const ipv4Ranges: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, metadata services of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation, like 198.51.100 and 203.0.113
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4],
];

const ipv6Ranges: readonly (readonly [string, number])[] = [
  ['::', 96], // unspecified, loopback, and IPv4 in its oldest spelling
  ['64:ff9b::', 96], // these three lead to IPv4 addresses of any kind
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7], // unique local
  ['fe80::', 10], // link-local
  ['fec0::', 10],
  ['ff00::', 8], // multicast
];

/** Special-purpose ranges by the registries of IANA; an IPv6 address that maps an IPv4 one is judged by that one too. */
const specialPurpose = specialRanges();

function specialRanges(): BlockList {
  const ranges = new BlockList();
  for (const [network, bits] of ipv4Ranges) ranges.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of ipv6Ranges) ranges.addSubnet(network, bits, 'ipv6');
  return ranges;
}
