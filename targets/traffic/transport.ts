import { Readable } from 'node:stream';
import { getCACertificates } from 'node:tls';
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import type { Connections } from './connections.ts';
import { connecting } from './connecting.ts';
import {
  documentBytes,
  EndedIdle,
  headerBytes,
  Late,
  messageBytes,
  receive,
  type Allowance,
  responseOf,
  within,
} from './reception.ts';
import type { SignedRequest } from '../../client/sign.ts';
import { epochMs, type Exchange, type Response } from '../../trace/exchange.ts';
import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as safeRequest } from 'node:https';

/** How the target is reached. */
export interface Network {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  /** Certificates (PEM) that are trusted besides the usual ones. */
  readonly extraCa?: string;
}

/** How a transport sends. */
interface Sending {
  /** Once that is so, nobody waits for an answer any more. */
  readonly isOver?: () => boolean;
  /** What requests call themselves, where they carry no such header of their own: nothing of it is signed, nor shown in evidence. */
  readonly userAgent?: string | undefined;
  /** The connections that its own are among; as many as it takes where absent. */
  readonly connections?: Connections | undefined;
}

/** Sends requests to one base address until it is closed. */
export interface Transport {
  /** The whole answer is to be there within so many milliseconds, 30 s when absent, however it comes. The last request of a connection closes it. */
  send(request: SignedRequest, deadlineMs?: number, isLast?: boolean): Promise<Exchange>;
  /** A plain GET of any address, without our headers, and of where it redirects to: how a link to a document is followed. */
  download(url: string, deadlineMs?: number): Promise<Exchange>;
  close(): Promise<void>;
}

/** How long an answer may take, to its last byte. */
export const answerMs = 30_000;

/** Opens a transport: the exact bytes and the exact request path go out, nothing is normalised, followed or retried. */
export function openTransport(
  baseUrl: string,
  network: Network | undefined,
  { isOver = () => false, userAgent, connections }: Sending = {},
): Transport {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  const dispatcher = dispatcherFor(network, connections);
  const straight = isByProxy(network) ? {} : { straight: { ca: trusted(network) } };
  return {
    send: (request, deadlineMs = answerMs, isLast = false) =>
      exchange(dispatcher, {
        origin,
        prefix,
        request,
        userAgent,
        deadlineMs,
        isLast,
        bodyBytes: messageBytes,
        isOver,
        connections,
        ...straight,
      }),
    download: (url, deadlineMs = answerMs) =>
      followed(dispatcher, url, { deadlineMs, bodyBytes: documentBytes, isOver }),
    // Whatever is still under way is not waited for: nobody asks for it any more.
    close: () => dispatcher.destroy(),
  };
}

/** Connects straight without a network, else by the proxies and certificates that it names. */
export function dispatcherFor(network: Network | undefined, connections?: Connections): Dispatcher {
  const ca = trusted(network);
  const options = {
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxHeaderSize: headerBytes,
    allowH2: false,
    connect: connecting({ timeout: 10_000, allowH2: false, ...(ca ? { ca } : {}) }, connections),
  };
  if (network === undefined) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    // Only what goes by a proxy needs it, and undici copies it, long as it is, for every connection.
    ...(ca && isByProxy(network) ? { requestTls: { ca } } : {}),
    httpProxy: network.httpProxy ?? '',
    httpsProxy: network.httpsProxy ?? '',
    noProxy: network.noProxy ?? '',
  });
}

function isByProxy(network: Network | undefined): boolean {
  return (network?.httpProxy ?? network?.httpsProxy) !== undefined;
}

/** The certificates that are trusted, where it is more than the usual ones. */
function trusted(network: Network | undefined): string[] | undefined {
  return network?.extraCa === undefined ? undefined : [...getCACertificates('default'), network.extraCa];
}

const mostRedirects = 5;

/** The document behind a link, which may lead to it by way of other addresses. */
async function followed(dispatcher: Dispatcher, url: string, allowance: Allowance, redirects = 0): Promise<Exchange> {
  const { origin } = new URL(url);
  const found = await exchange(dispatcher, { origin, prefix: '', request: downloadOf(url), ...allowance });
  const { status = 0, headers = [] } = found.response ?? {};
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const next = status >= 300 && status <= 399 ? onward(location, url) : undefined;
  if (next === undefined || redirects === mostRedirects) return found;
  const deadlineMs = Math.max(1, allowance.deadlineMs - found.durationMs);
  const waitedMs = (allowance.waitedMs ?? 0) + found.durationMs;
  const end = await followed(dispatcher, next, { ...allowance, deadlineMs, waitedMs }, redirects + 1);
  // What came in the end is the answer of the link that was given: by the addresses on the way nobody knows it.
  return { ...end, ...sentOf(found), durationMs: found.durationMs + end.durationMs };
}

function sentOf({ request, sentAtMs }: Exchange): Pick<Exchange, 'request' | 'sentAtMs'> {
  return { request, ...(sentAtMs === undefined ? {} : { sentAtMs }) };
}

/** Where a redirect leads by HTTP; `undefined` where it doesn't: to a file, to data, to nowhere. */
function onward(location: string | undefined, from: string): string | undefined {
  if (location === undefined || !URL.canParse(location, from)) return undefined;
  const { protocol, href } = new URL(location, from);
  return protocol === 'http:' || protocol === 'https:' ? href : undefined;
}

/** Nothing is signed: a link carries its own permission. */
function downloadOf(url: string): SignedRequest {
  const { pathname, search } = new URL(url);
  const parts = { token: '', path: pathname, body: Buffer.alloc(0), timestamp: '' };
  return { method: 'GET', target: pathname + search, headers: [], parts, isLink: true };
}

interface Errand extends Allowance {
  readonly origin: string;
  readonly prefix: string;
  readonly request: SignedRequest;
  readonly userAgent?: string | undefined;
  readonly isLast?: boolean;
  /** What is trusted on the way; absent where a proxy stands in it. */
  readonly straight?: { readonly ca: readonly string[] | undefined };
  readonly connections?: Connections | undefined;
}

async function exchange(dispatcher: Dispatcher, errand: Errand): Promise<Exchange> {
  const { request } = errand;
  // One reading of the clock: whatever came between two would make what follows begin before this has ended.
  const sentAtMs = epochMs();
  const elapsed = (): number => epochMs() - sentAtMs;
  try {
    return { request, response: await answerTo(dispatcher, errand), sentAtMs, durationMs: elapsed() };
  } catch (error) {
    return { request, error: describe(error), ...kindOf(error), sentAtMs, durationMs: elapsed() };
  }
}

function kindOf(error: unknown): Pick<Exchange, 'isLate' | 'isEndedIdle'> {
  if (error instanceof Late) return { isLate: true };
  return error instanceof EndedIdle ? { isEndedIdle: true } : {};
}

/** Asks by undici, but for what that does not send: by way of a proxy this goes out like any other request. */
function answerTo(
  dispatcher: Dispatcher,
  { origin, prefix, request, userAgent, isLast = false, straight, connections, ...allowance }: Errand,
): Promise<Response> {
  const { method, target, rawBody, transfer } = request;
  const path = prefix + target;
  const headers = [...request.headers, ...(isNamed(request.headers) ? [] : ownName(userAgent))];
  if (transfer === 'expecting' && rawBody && straight)
    return receiveExpecting(
      { url: new URL(origin), path, method, headers, body: rawBody, connections, ...straight },
      allowance,
    );
  const asked = {
    origin,
    path,
    method,
    headers: headers.flat(),
    body: bodyOf(request),
    ...(isLast ? { reset: true } : {}),
  };
  return receive(dispatcher, asked, allowance);
}

/** A body as it goes out: of a stream undici tells no length, and sends each piece as a chunk. */
function bodyOf({ rawBody, transfer }: SignedRequest): Buffer | Readable | null {
  if (!rawBody || transfer !== 'chunked') return rawBody ?? null;
  const half = Math.ceil(rawBody.length / 2);
  return Readable.from([rawBody.subarray(0, half), rawBody.subarray(half)].filter(({ length }) => length > 0));
}

function isNamed(headers: SignedRequest['headers']): boolean {
  return headers.some(([name]) => name.toLowerCase() === 'user-agent');
}

function ownName(userAgent: string | undefined): [string, string][] {
  return userAgent === undefined ? [] : [['user-agent', userAgent]];
}

/** The code and message of a failure, without the stack. */
function describe(error: unknown): string {
  if (error instanceof Late) return error.message;
  if (error instanceof EndedIdle) return describe(error.cause);
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const inner = error instanceof AggregateError ? error.errors.map(describe).join('; ') : error.message;
  return inner.includes(code) ? inner : `${code}: ${inner}`;
}

/** A request that asks before it sends its body. */
interface Expecting {
  readonly url: URL;
  /** From the origin on, as it is to stand on the request line. */
  readonly path: string;
  readonly method: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** Certificates (PEM) that are trusted. */
  readonly ca: readonly string[] | undefined;
  readonly connections: Connections | undefined;
}

/** How long a server may keep silent until the body goes out all the same: it may never have heard of asking. */
const silenceMs = 1000;

/** Sends with `Expect: 100-continue`, which undici refuses to: the body goes out once it is asked for. RFC 9110, section 10.1.1. */
function receiveExpecting(
  { url, path, method, headers, body, ca, connections }: Expecting,
  allowance: Allowance,
): Promise<Response> {
  return within(allowance, async ({ signal }) => {
    await connections?.makeRoom();
    const asked = (url.protocol === 'https:' ? safeRequest : plainRequest)(url, {
      path,
      method,
      headers: ['host', url.host, ...headers.flat(), 'expect', '100-continue', 'content-length', String(body.length)],
      agent: false,
      maxHeaderSize: headerBytes,
      signal,
      ...(ca ? { ca: [...ca] } : {}),
    });
    asked.once('socket', (socket) => connections?.add(socket));
    // Once: who was silent for too long may ask all the same, when the body is on its way.
    const give = (): void => void (asked.writableEnded || asked.end(body));
    const silence = setTimeout(give, silenceMs);
    asked.once('continue', give);
    asked.flushHeaders();
    try {
      const answer = await answerOf(asked);
      const { statusCode: status = 0, rawHeaders, socket } = answer;
      return await responseOf(
        {
          status,
          headers: rawHeaders,
          body: answer,
          over: {
            port: socket.localPort ?? 0,
            ...(socket.remoteAddress === undefined ? {} : { peer: socket.remoteAddress }),
          },
        },
        allowance.bodyBytes,
      );
    } finally {
      clearTimeout(silence);
      asked.destroy();
    }
  });
}

function answerOf(asked: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.on('error', reject);
  });
}
