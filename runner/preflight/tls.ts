import { isIP, type Socket } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { fileErrorCode } from '../results/file-error.ts';
import type { Remark } from './finding.ts';
import type { HostAndPort } from './place.ts';
import { judgeHandshake, type Handshake } from './tls-judgement.ts';

const timeoutMs = 4_000;
/** How long a second guess may take. */
const hurriedMs = 1_500;

/**
 * Shakes hands with a place as the suite's HTTP client does, over a connection of its own or one that a proxy has made;
 * `extraCa` (PEM) is trusted besides the usual authorities.
 */
export async function examineTls(place: HostAndPort, extraCa: string | undefined, through?: Socket): Promise<Remark> {
  return judgeHandshake(place.host, await handshake(place, extraCa, through), new Date());
}

/** Whether TLS is spoken there at all, whoever vouches for the certificate. */
export async function speaksTls(place: HostAndPort, extraCa: string | undefined): Promise<boolean> {
  const outcome = await handshake(place, extraCa, undefined, hurriedMs);
  return !('error' in outcome) || /CERT|ISSUER|SELF_SIGNED|LEAF_SIGNATURE|ALTNAME/.test(outcome.error);
}

function handshake(
  { host, port }: HostAndPort,
  extraCa: string | undefined,
  through?: Socket,
  withinMs = timeoutMs,
): Promise<Handshake> {
  return new Promise((resolve) => {
    const socket = connect({
      ...(through ? { socket: through, host } : { host, port }),
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
