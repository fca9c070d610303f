import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { lookAtWay } from './advice.ts';
import { listening } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

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
