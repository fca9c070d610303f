import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server as PlainServer } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { passOn } from '../runs.ts';
import { newAuthority, selfSignedFor, type Authority, type Shown } from './certificates.ts';
import { listening } from './front.ts';
import type { Staged, StagedTrouble, Upstream } from './staged-trouble.ts';

const host = '127.0.0.1';
const valid = { host, fromDays: -1, untilDays: 90 };

/** TLS where it is not expected, or that is not to be trusted. */
export const tlsTroubles: readonly StagedTrouble[] = [
  {
    name: 'an http:// address of a TLS port that hangs up',
    start: (upstream) => startSecure(upstream, { scheme: 'http' }),
    says: [/\bTLS\b|https/i],
    advises: [/https:\/\//],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'an http:// address of a TLS port that answers 400 with a page',
    start: (upstream) => startSecure(upstream, { scheme: 'http', guard: refusingPlain }),
    says: [/\bTLS\b|https/i],
    advises: [/https:\/\//],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'an https:// address of a plain http port',
    async start(upstream) {
      const { port, stop } = await listening(plainServer(upstream));
      const settings = { NFE_BASE_URL: `https://${host}:${port}`, NFE_APP_SECRET: await upstream.secret() };
      return { settings, stop };
    },
    says: [/not speak TLS|no TLS|plain http/i],
    advises: [/http:\/\//],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a self-signed certificate',
    start: (upstream) => startSecure(upstream, { shownBy: () => selfSignedFor(host), isTrusted: false }),
    says: [/certificate/, /self-signed/],
    advises: [/NODE_EXTRA_CA_CERTS/],
  },
  {
    name: 'a certificate of an authority that is unknown here, as of a proxy that looks into TLS',
    start: (upstream) => startSecure(upstream, { shownBy: withChain, isTrusted: false }),
    says: [/certificate/, /authority/],
    advises: [/NODE_EXTRA_CA_CERTS/],
  },
  {
    name: 'an expired certificate',
    start: (upstream) =>
      startSecure(upstream, { shownBy: ({ issue }) => issue({ host, fromDays: -90, untilDays: -1 }) }),
    says: [/certificate/, /expired/],
    advises: [/\brenew/],
  },
  {
    name: 'a certificate of another host',
    start: (upstream) => startSecure(upstream, { shownBy: ({ issue }) => issue({ ...valid, host: 'other.test' }) }),
    says: [/certificate/, /another host|not for 127\.0\.0\.1|other\.test/],
    advises: [/\bset NFE_BASE_URL\b/],
  },
];

/** How TLS is offered. */
interface SecureWish {
  readonly shownBy?: (authority: Authority) => Shown;
  /** Whether NODE_EXTRA_CA_CERTS names the authority. */
  readonly isTrusted?: boolean;
  /** Scheme in the base address. */
  readonly scheme?: 'http' | 'https';
  /** What listens in place of the server and hands connections over to it. */
  readonly guard?: (server: SecureServer) => Server;
}

/** The right server behind TLS; by itself in good order. */
export async function startSecure(upstream: Upstream, wish: SecureWish = {}): Promise<Staged> {
  const {
    shownBy = ({ issue }) => issue(valid),
    isTrusted = true,
    scheme = 'https',
    guard = (server) => server,
  } = wish;
  const authority = newAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'nfe-authority-'));
  const path = join(folder, 'authority.pem');
  writeFileSync(path, authority.pem);
  const front = await listening(guard(createSecureServer(shownBy(authority), passOn(upstream.baseUrl))));
  return {
    settings: {
      NFE_BASE_URL: `${scheme}://${host}:${front.port}`,
      NFE_APP_SECRET: await upstream.secret(),
      ...(isTrusted ? { NODE_EXTRA_CA_CERTS: path } : {}),
    },
    async stop() {
      await front.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function plainServer({ baseUrl }: Upstream): PlainServer {
  return createPlainServer(passOn(baseUrl));
}

/** A certificate that comes with that of its authority. */
function withChain({ pem, issue }: Authority): Shown {
  const { cert, key } = issue(valid);
  return { cert: `${cert}${pem}`, key };
}

/** The first byte of a TLS connection: a record of the handshake. */
const handshakeRecord = 22;

const badRequest =
  '<html>\r\n<head><title>400 The plain HTTP request was sent to HTTPS port</title></head>\r\n</html>\r\n';

/** Answers plain HTTP as some servers do on their TLS port, and leaves the rest to the server. */
function refusingPlain(server: SecureServer): Server {
  return createServer((socket) => {
    socket.once('data', (chunk) => {
      if (chunk[0] === handshakeRecord) {
        socket.pause().unshift(chunk);
        server.emit('connection', socket);
        return;
      }
      const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nContent-Length: ${badRequest.length}\r\n`;
      socket.end(`${head}Connection: close\r\n\r\n${badRequest}`);
    });
  });
}
