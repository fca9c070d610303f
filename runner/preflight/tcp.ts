import { connect } from 'node:net';
import { duration } from '../../reports/figures.ts';
import { fileErrorCode } from '../results/file-error.ts';
import { ok, problem, type Remark } from './finding.ts';
import { placeText, type HostAndPort } from './place.ts';

/** What a connection attempt came to: the address that was reached and the time that took, or the system's error code. */
type Connection = { readonly address: string; readonly ms: number } | { readonly error: string };

const timeoutMs = 4_000;

/** Connects to a place and hangs up. */
export async function examineTcp(place: HostAndPort): Promise<Remark> {
  const outcome = await connection(place);
  if ('error' in outcome) {
    return problem('TCP', `${placeText(place)} can't be reached (${outcome.error})`, connectionAdvice(outcome.error));
  }
  return ok('TCP', `${placeText(place)} answers after ${duration(outcome.ms)} (${outcome.address})`);
}

/** What to do about a connection that failed with that code. */
function connectionAdvice(code: string): string {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there: check the port, or start the server';
    case 'ETIMEDOUT':
      return 'nothing answers there: check the address, the firewall and the VPN, or set HTTPS_PROXY where one is needed';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'there is no way to that address: check the network and the VPN';
    default:
      return 'check the address, the network and the proxy';
  }
}

function connection({ host, port }: HostAndPort): Promise<Connection> {
  return new Promise((resolve) => {
    const started = performance.now();
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (outcome: Connection): void => {
      socket.destroy();
      resolve(outcome);
    };
    socket.once('connect', () => end({ address: socket.remoteAddress ?? host, ms: performance.now() - started }));
    socket.once('timeout', () => end({ error: 'ETIMEDOUT' }));
    socket.once('error', (error) => end({ error: fileErrorCode(error) }));
  });
}
