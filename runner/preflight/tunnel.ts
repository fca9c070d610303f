import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { Socket } from 'node:net';
import { getCACertificates } from 'node:tls';
import { fileErrorCode } from '../results/file-error.ts';
import { problem, type Remark } from './finding.ts';
import { placeOf, placeText, type HostAndPort } from './place.ts';
import { proxyText, type Proxy } from './proxy.ts';

/** What a proxy made of a CONNECT: the connection, or its HTTP status, or the system's error code. */
export type Tunnel = { readonly socket: Socket } | { readonly status: number } | { readonly error: string };

const timeoutMs = 4_000;

/** Has an http(s) proxy connect to a place. */
export function openTunnel({ url }: Proxy, place: HostAndPort, extraCa: string | undefined): Promise<Tunnel> {
  return new Promise((resolve) => {
    const request = url.protocol === 'https:' ? secureRequest : plainRequest;
    const outgoing = request({
      ...placeOf(url),
      method: 'CONNECT',
      path: placeText(place),
      headers: { host: placeText(place), ...authorisation(url) },
      timeout: timeoutMs,
      ...(extraCa === undefined ? {} : { ca: [...getCACertificates('default'), extraCa] }),
    });
    outgoing.once('connect', ({ statusCode: status = 0 }, socket) => {
      if (status === 200) return resolve({ socket });
      socket.destroy();
      return resolve({ status });
    });
    outgoing.once('timeout', () => outgoing.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })));
    outgoing.once('error', (error) => resolve({ error: fileErrorCode(error) }));
    outgoing.end();
  });
}

/** Judges a tunnel that was refused. */
export function judgeRefusal(proxy: Proxy, place: HostAndPort, refusal: Exclude<Tunnel, { socket: Socket }>): Remark {
  const { variable } = proxy;
  const how = 'status' in refusal ? `HTTP ${refusal.status}` : refusal.error;
  const found = `${proxyText(proxy)} does not connect to ${placeText(place)} (${how})`;
  const isAskingWho = 'status' in refusal && refusal.status === 407;
  return problem(
    'TLS',
    found,
    isAskingWho
      ? `put its user and password into ${variable}: http://user:password@host:port`
      : `check NFE_BASE_URL and ${variable}; name the host in NO_PROXY if it is reached straight`,
  );
}

function authorisation({ username, password }: URL): Record<string, string> {
  if (username === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}
