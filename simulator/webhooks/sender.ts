import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, interceptors } from 'undici';
import type { AnswerHeaders } from '../model/delivery.ts';
import type { DeliveryRequest } from '../rules/webhook-delivery.ts';
import { publicOnly, refusalOf } from './public-only.ts';

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
