import { generateKeyPairSync } from 'node:crypto';
import { isIP, createServer, type Server } from 'node:net';
import forge from 'node-forge';
import { writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type Server as PlainServer } from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { newFolder } from '../folders.ts';
import { join } from 'node:path';
import { passOn } from '../runs.ts';
import { listening, type Staged, type StagedTrouble, type Upstream } from './front.ts';

/** What a server shows of itself, with its key, in PEM. */
interface Shown {
  readonly cert: string;
  readonly key: string;
}

/** Who a certificate is for, and since and until when it is valid, in days from now. */
interface CertificateWish {
  /** Name or IPv4 address. */
  readonly host: string;
  readonly fromDays: number;
  readonly untilDays: number;
}

/** Vouches for certificates. */
interface Authority {
  /** Its own certificate, by which others come to trust it. */
  readonly pem: string;
  readonly issue: (wish: CertificateWish) => Shown;
}

const dayMs = 86_400_000;
const authorityName = [{ name: 'commonName', value: 'Authority of a test' }];
const validNow = { fromDays: -1, untilDays: 90 };

/** An authority of its own, which nobody knows yet. */
function newAuthority(): Authority {
  const own = newKey();
  const certificate = filledIn(own, { host: 'authority.test', ...validNow }, 1);
  certificate.setSubject(authorityName);
  certificate.setIssuer(authorityName);
  certificate.setExtensions([{ name: 'basicConstraints', cA: true }]);
  certificate.sign(own.privateKey, forge.md.sha256.create());
  return {
    pem: forge.pki.certificateToPem(certificate),
    issue(wish) {
      const key = newKey();
      const issued = filledIn(key, wish, 2);
      issued.setIssuer(authorityName);
      issued.sign(own.privateKey, forge.md.sha256.create());
      return { cert: forge.pki.certificateToPem(issued), key: key.pem };
    },
  };
}

/** A certificate that nobody but its own key vouches for. */
export function selfSignedFor(host: string): Shown {
  const key = newKey();
  const certificate = filledIn(key, { host, ...validNow }, 1);
  certificate.setIssuer(nameOf(host));
  certificate.sign(key.privateKey, forge.md.sha256.create());
  return { cert: forge.pki.certificateToPem(certificate), key: key.pem };
}

interface Key {
  readonly pem: string;
  readonly privateKey: forge.pki.rsa.PrivateKey;
  readonly publicKey: forge.pki.PublicKey;
}

function newKey(): Key {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return {
    pem: privateKey,
    privateKey: forge.pki.privateKeyFromPem(privateKey),
    publicKey: forge.pki.publicKeyFromPem(publicKey),
  };
}

function nameOf(host: string): forge.pki.CertificateField[] {
  return [{ name: 'commonName', value: host }];
}

/** All of a certificate but its issuer and signature. */
function filledIn(
  { publicKey }: Key,
  { host, fromDays, untilDays }: CertificateWish,
  serial: number,
): forge.pki.Certificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = `0${serial}`;
  certificate.validity.notBefore = new Date(Date.now() + fromDays * dayMs);
  certificate.validity.notAfter = new Date(Date.now() + untilDays * dayMs);
  certificate.setSubject(nameOf(host));
  const [dnsName, ipAddress] = [2, 7];
  const name = isIP(host) > 0 ? { type: ipAddress, ip: host } : { type: dnsName, value: host };
  certificate.setExtensions([{ name: 'subjectAltName', altNames: [name] }]);
  return certificate;
}

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
    start: (upstream) => startSecure(upstream, { scheme: 'http', guard: refusingPlain() }),
    says: [/\bTLS\b|https/i],
    advises: [/https:\/\//],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'the same of a server that takes its time to shake hands',
    start: (upstream) => startSecure(upstream, { scheme: 'http', guard: refusingPlain(2_500) }),
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
  const path = join(newFolder(), 'authority.pem');
  writeFileSync(path, authority.pem);
  const front = await listening(guard(createSecureServer(shownBy(authority), passOn(upstream.baseUrl))));
  return {
    settings: {
      NFE_BASE_URL: `${scheme}://${host}:${front.port}`,
      NFE_APP_SECRET: await upstream.secret(),
      ...(isTrusted ? { NODE_EXTRA_CA_CERTS: path } : {}),
    },
    stop: front.stop,
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

/** Answers plain HTTP as some servers do on their TLS port, and leaves the rest to the server, after so many milliseconds. */
function refusingPlain(afterMs = 0): (server: SecureServer) => Server {
  return (server) =>
    createServer((socket) => {
      socket.once('data', (chunk) => {
        if (chunk[0] === handshakeRecord) {
          socket.pause().unshift(chunk);
          setTimeout(() => server.emit('connection', socket), afterMs);
          return;
        }
        const head = `HTTP/1.1 400 Bad Request\r\nContent-Type: text/html\r\nContent-Length: ${badRequest.length}\r\n`;
        socket.end(`${head}Connection: close\r\n\r\n${badRequest}`);
      });
      // Who has waited long enough may be gone.
      socket.on('error', () => socket.destroy());
    });
}
