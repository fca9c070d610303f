import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { counted } from '../../reports/language.ts';
import { fileErrorCode } from '../command-line/argument-error.ts';
import { notSet, ok, problem, warning, type Remark } from './finding.ts';
import type { HostAndPort } from './proxy.ts';

/** What a handshake came to: a connection to trust, or the error code of the system or of OpenSSL. */
export type Handshake =
  | { readonly protocol: string; readonly issuer: string; readonly validTo: Date }
  | { readonly error: string };

const timeoutMs = 4_000;
/**
 * How long a second guess may take: where somebody has answered, as long as a busy machine takes, since a wrong guess would call the
 * target ready; where nobody has, it is told to be in trouble either way.
 */
const guessMs = { answered: 10_000, silent: 1_500 };
const leastDays = 14;
const dayMs = 86_400_000;

const variable = 'NODE_EXTRA_CA_CERTS';
const trust = 'set NODE_EXTRA_CA_CERTS to a PEM file';

const unknownAuthority = [
  'comes from an authority that this machine does not know',
  `${trust} with the certificate of that authority (of your company's proxy, maybe)`,
] as const;

/** What is wrong with a certificate, and what to do about it, by the code that the handshake failed with. */
const certificateFaults: Readonly<Record<string, readonly [string, string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is self-signed', `${trust} with that certificate, if you trust the server`],
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'comes without its chain, or from an authority that this machine does not know',
    `have the server send its intermediate certificates, or ${trust} with them`,
  ],
  CERT_HAS_EXPIRED: ['has expired', "have it renewed; and see that this machine's date is right"],
  CERT_NOT_YET_VALID: ['is not valid yet', "see that this machine's date is right"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'is for another host',
    'set NFE_BASE_URL to a host that it names; an IP address is seldom among them',
  ],
};

/** Shakes hands with a place as the suite's HTTP client does; `extraCa` (PEM) is trusted besides the usual authorities. */
export async function examineTls(place: HostAndPort, extraCa: string | undefined): Promise<Remark> {
  return judgeHandshake(place.host, await handshake(place, extraCa), new Date());
}

/** Whether TLS is spoken there at all, whoever vouches for the certificate; to plain HTTP the place has answered something, or nothing. */
export async function speaksTls(
  place: HostAndPort,
  extraCa: string | undefined,
  toPlain: keyof typeof guessMs,
): Promise<boolean> {
  const outcome = await handshake(place, extraCa, guessMs[toPlain]);
  return !('error' in outcome) || outcome.error in certificateFaults;
}

/** Judges the handshake with a host; `now` is when it took place. */
export function judgeHandshake(host: string, outcome: Handshake, now: Date): Remark {
  if ('error' in outcome) return judgeFailure(host, outcome.error);
  const days = Math.floor((outcome.validTo.getTime() - now.getTime()) / dayMs);
  const lastDay = outcome.validTo.toISOString().slice(0, 10);
  const until = `the certificate of ${host} expires in ${counted(days, 'day')}, on ${lastDay}`;
  if (days < leastDays) return warning('TLS', until, 'have it renewed in time');
  return ok('TLS', `${outcome.protocol}; ${until}; issued by ${outcome.issuer}`);
}

function judgeFailure(host: string, code: string): Remark {
  const distrust = judgeDistrust('TLS', host, code);
  if (distrust) return distrust;
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    const advice = 'check the port, or use http:// in NFE_BASE_URL';
    return problem('TLS', `${host} does not speak TLS there (${code})`, advice);
  }
  return problem('TLS', `the handshake with ${host} failed (${code})`, 'check the network and what stands in between');
}

/** That a certificate is not to be trusted, where the text of an error tells that. */
export function judgeDistrust(examined: string, host: string, error: string): Remark | undefined {
  const found = Object.entries(certificateFaults).find(([code]) => error.includes(code));
  if (!found) return undefined;
  const [code, [fault, advice]] = found;
  return problem(examined, `the certificate of ${host} ${fault} (${code})`, advice);
}

function handshake({ host, port }: HostAndPort, extraCa: string | undefined, withinMs = timeoutMs): Promise<Handshake> {
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port,
      ...(isIP(host) > 0 ? {} : { servername: host }),
      ...(extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] }),
      ALPNProtocols: ['http/1.1'],
    });
    const end = (outcome: Handshake): void => {
      socket.destroy();
      resolve(outcome);
    };
    socket.setTimeout(withinMs, () => end({ error: 'ETIMEDOUT' }));
    socket.once('error', (error) => end({ error: fileErrorCode(error) }));
    socket.once('secureConnect', () => {
      const { issuer, valid_to: validTo } = socket.getPeerCertificate();
      end({ protocol: socket.getProtocol() ?? 'TLS', issuer: nameOf(issuer), validTo: new Date(validTo) });
    });
  });
}

/** How people call an authority: its common name, else its organisation. */
function nameOf(issuer: object): string {
  const names = ['CN', 'O'].map((field): unknown => Reflect.get(issuer, field));
  return names.find((name) => typeof name === 'string') ?? 'an authority without name';
}

const pemBlock = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Examines the file of further certificate authorities. */
export function examineCertificates(path: string | undefined, now: Date): Remark {
  if (!path) return notSet(variable, 'only the usual certificate authorities are trusted');
  const takes = 'it takes a file of certificates in PEM form (-----BEGIN CERTIFICATE-----), or its absence';
  try {
    const blocks = readFileSync(path, 'utf8').match(pemBlock) ?? [];
    if (blocks.length === 0) return problem(variable, `${path} holds no certificate in PEM form`, takes);
    const isAnyValid = blocks.map((pem) => new X509Certificate(pem)).some(({ validToDate }) => validToDate >= now);
    const count = `${counted(blocks.length, 'certificate')} in ${path}`;
    if (isAnyValid) return ok(variable, count);
    return warning(variable, `${count}, all of them expired`, 'ask the issuer for the present one');
  } catch (error) {
    return problem(variable, `${path} can't be read (${fileErrorCode(error)})`, takes);
  }
}
