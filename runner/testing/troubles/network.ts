import {
  checkAddress,
  inFront,
  page,
  type StagedTrouble,
  lookAtWay,
  listening,
  lookInBetween,
  answering,
} from './front.ts';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer, type Server } from 'node:net';

/** Addresses that lead elsewhere on the right machine, or to it at the wrong hour. */
export const addressTroubles: readonly StagedTrouble[] = [
  {
    name: 'a wrong path in the base address, which gets 404 with a page',
    start: inFront(() => page(404, '404 Not Found'), '/wrong'),
    says: [/\b404\b/, /\/wrong\b/],
    advises: [checkAddress, /\/openapi\b/],
    names: ['NFE_BASE_URL'],
  },
  {
    name: '503 to everything',
    start: inFront(() => page(503, 'The service is down for maintenance')),
    says: [/\b503\b/, /\bnot available|\bunavailable/i],
    advises: [/\blater\b/],
  },
];

/** Nothing listens on this port of any machine that tests run on. */
const deadOrigin = 'http://127.0.0.1:9';

/** Connections that lead to no answer. */
export const connectionTroubles: readonly StagedTrouble[] = [
  {
    name: 'a port on which nothing listens',
    start: at(deadOrigin),
    says: [/127\.0\.0\.1:9\b/, /ECONNREFUSED/],
    advises: [lookAtWay],
    names: ['NFE_BASE_URL'],
  },
  {
    // RFC 6761: no name server knows a name below `invalid`.
    name: 'a host name that is unknown',
    start: at('http://nfe.invalid'),
    says: [/nfe\.invalid/, /ENOTFOUND|EAI_AGAIN/],
    advises: [lookAtWay],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a server that takes connections and never answers',
    start: served(() => createServer((socket) => socket.resume())),
    says: [/no answer|not answer|timed? ?out|within \d+/i],
    advises: [lookAtWay],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a server that sends its answer at one byte a second',
    start: served(drippingServer),
    says: [/no (?:whole )?answer|not answer|timed? ?out|within \d+/i],
    advises: [lookAtWay],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a connection that is reset at every request',
    start: served(() => createServer((socket) => socket.once('data', () => socket.resetAndDestroy()))),
    says: [/ECONNRESET|reset|closed/i],
    advises: [lookAtWay],
    names: ['NFE_BASE_URL'],
  },
];

function at(origin: string): StagedTrouble['start'] {
  return async (upstream) => ({
    settings: { NFE_BASE_URL: origin, NFE_APP_SECRET: await upstream.secret() },
    stop: () => Promise.resolve(),
  });
}

function served(serverOf: () => Server): StagedTrouble['start'] {
  return async (upstream) => {
    const { port, stop } = await listening(serverOf());
    const settings = { NFE_BASE_URL: `http://127.0.0.1:${port}`, NFE_APP_SECRET: await upstream.secret() };
    return { settings, stop };
  };
}

/** Long enough that nobody waits for its end. */
const drippedBytes = 300;

function drippingServer(): Server {
  return createHttpServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': drippedBytes });
    const drops = setInterval(() => outgoing.write(' '), 1000);
    outgoing.on('close', () => clearInterval(drops));
  });
}

const title = 'Access denied: this request was blocked by security policy';
const isPage = /\bHTML\b|\bpage\b/i;

/** Firewalls for web applications, which answer in the place of the server. */
export const firewallTroubles: readonly StagedTrouble[] = [
  {
    name: 'a page with 403 to everything',
    start: inFront(() => page(403, title)),
    says: [/\b403\b/, isPage],
    advises: [lookInBetween],
  },
  {
    name: 'a plain text with 403 to everything',
    start: inFront(() => answering(403, 'Forbidden\n', { 'content-type': 'text/plain' })),
    says: [/\b403\b/, /\btext\b|no JSON|envelope/i],
    advises: [lookInBetween],
  },
  blockedBy('a page with 403 to every DELETE', 403, ({ method }) => method === 'DELETE', /\bDELETE\b/),
  blockedBy('a page with 403 to every multipart upload', 403, isMultipart, /multipart/i),
  blockedBy('a page with 200 to every body of XML', 200, isXml, /\bXML\b/i),
];

function blockedBy(
  name: string,
  status: number,
  isBlocked: (incoming: IncomingMessage) => boolean,
  what: RegExp,
): StagedTrouble {
  const blocking: RequestListener = page(status, title);
  return {
    name,
    start: inFront((onward) => (incoming, outgoing) => {
      if (isBlocked(incoming)) blocking(incoming, outgoing);
      else onward(incoming, outgoing);
    }),
    says: [new RegExp(String.raw`\b${RegExp.escape(String(status))}\b`), isPage, what],
    advises: [lookInBetween],
  };
}

function isXml({ headers }: IncomingMessage): boolean {
  return /\bxml\b/i.test(headers['content-type'] ?? '');
}

function isMultipart({ headers }: IncomingMessage): boolean {
  return /^multipart\//i.test(headers['content-type'] ?? '');
}
