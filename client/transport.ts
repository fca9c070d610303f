import { getCACertificates } from 'node:tls';
import { Agent, EnvHttpProxyAgent, type Dispatcher } from 'undici';
import type { SignedRequest } from './signed-request.ts';

/** How the target is reached. */
export interface Network {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  /** Certificates (PEM) that are trusted besides the usual ones. */
  readonly extraCa?: string;
}

/** One request with its response, or with what went wrong in place of one. */
export interface Exchange {
  readonly request: SignedRequest;
  readonly response?: Response;
  /** Why there is no response: "ECONNREFUSED: connect …". */
  readonly error?: string;
  readonly durationMs: number;
}

export interface Response {
  readonly status: number;
  /** Names and values as received, in order. */
  readonly headers: readonly (readonly [string, string])[];
  readonly rawBody: Buffer;
}

/** Sends requests to one base address until it is closed. */
export interface Transport {
  /** The whole answer is to be there within so many milliseconds, 30 s when absent, however it comes. */
  send(request: SignedRequest, deadlineMs?: number): Promise<Exchange>;
  /** A plain GET of any address, without our headers, and of where it redirects to: how a link to a document is followed. */
  download(url: string, deadlineMs?: number): Promise<Exchange>;
  close(): Promise<void>;
}

/** How long an answer may take, to its last byte. */
export const answerMs = 30_000;
const largestResponseBytes = 8 * 1024 * 1024;

/**
 * Opens a transport: the exact bytes and the exact request path go out, nothing is normalised, followed or retried. Once
 * `isOver`, nobody waits for an answer any more.
 */
export function openTransport(
  baseUrl: string,
  network: Network | undefined,
  isOver: () => boolean = () => false,
): Transport {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/(?<!\/)\/+$/, '');
  const dispatcher = dispatcherFor(network);
  return {
    send: (request, deadlineMs = answerMs) => exchange(dispatcher, { origin, prefix, request, deadlineMs, isOver }),
    download: (url, deadlineMs = answerMs) => followed(dispatcher, url, { deadlineMs, isOver }),
    // Whatever is still under way is not waited for: nobody asks for it any more.
    close: () => dispatcher.destroy(),
  };
}

/** Connects straight without a network, else by the proxies and certificates that it names. */
export function dispatcherFor(network: Network | undefined): Dispatcher {
  const ca = network?.extraCa === undefined ? undefined : [...getCACertificates('default'), network.extraCa];
  const options = {
    headersTimeout: answerMs,
    bodyTimeout: answerMs,
    maxResponseSize: largestResponseBytes,
    allowH2: false,
    connect: { timeout: 10_000, ...(ca ? { ca } : {}) },
  };
  if (network === undefined) return new Agent(options);
  return new EnvHttpProxyAgent({
    ...options,
    ...(ca ? { requestTls: { ca } } : {}),
    httpProxy: network.httpProxy ?? '',
    httpsProxy: network.httpsProxy ?? '',
    noProxy: network.noProxy ?? '',
  });
}

const mostRedirects = 5;

/** The document behind a link, which may lead to it by way of other addresses. */
async function followed(dispatcher: Dispatcher, url: string, patience: Patience, redirects = 0): Promise<Exchange> {
  const { origin } = new URL(url);
  const found = await exchange(dispatcher, { origin, prefix: '', request: downloadOf(url), ...patience });
  const { status = 0, headers = [] } = found.response ?? {};
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1];
  const isRedirect = status >= 300 && status <= 399 && location !== undefined && URL.canParse(location, url);
  if (!isRedirect || redirects === mostRedirects) return found;
  const deadlineMs = Math.max(1, patience.deadlineMs - found.durationMs);
  return followed(dispatcher, new URL(location, url).href, { ...patience, deadlineMs }, redirects + 1);
}

/** Nothing is signed: a link carries its own permission. */
function downloadOf(url: string): SignedRequest {
  const { pathname, search } = new URL(url);
  const parts = { token: '', path: pathname, body: Buffer.alloc(0), timestamp: '' };
  return { method: 'GET', target: pathname + search, headers: [], parts, isLink: true };
}

/** How long an answer is waited for. */
interface Patience {
  readonly deadlineMs: number;
  readonly isOver: () => boolean;
}

interface Errand extends Patience {
  readonly origin: string;
  readonly prefix: string;
  readonly request: SignedRequest;
}

/** How often a request that waits looks whether it is over. */
const lookMs = 250;

async function exchange(dispatcher: Dispatcher, errand: Errand): Promise<Exchange> {
  const { origin, prefix, request, deadlineMs, isOver } = errand;
  const started = performance.now();
  const elapsed = (): number => performance.now() - started;
  // undici's own time-outs begin anew with each piece that comes.
  const controller = new AbortController();
  const look = setInterval(
    () => {
      if (isOver() || elapsed() >= deadlineMs) controller.abort();
    },
    Math.min(lookMs, deadlineMs),
  );
  try {
    const answer = await dispatcher.request({
      origin,
      path: prefix + request.target,
      method: request.method,
      headers: request.headers.flat(),
      body: request.rawBody ?? null,
      responseHeaders: 'raw',
      signal: controller.signal,
    });
    const rawBody = Buffer.from(await answer.body.arrayBuffer());
    const headers = headerPairs(answer.headers);
    return { request, response: { status: answer.statusCode, headers, rawBody }, durationMs: elapsed() };
  } catch (error) {
    const late = `no whole answer within ${Math.round(deadlineMs / 100) / 10} s`;
    return { request, error: controller.signal.aborted ? late : describe(error), durationMs: elapsed() };
  } finally {
    clearInterval(look);
  }
}

function headerPairs(headers: unknown): [string, string][] {
  if (!Array.isArray(headers)) return [];
  const flat = headers.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}

/** The code and message of a failure, without the stack. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const inner = error instanceof AggregateError ? error.errors.map(describe).join('; ') : error.message;
  return inner.includes(code) ? inner : `${code}: ${inner}`;
}
