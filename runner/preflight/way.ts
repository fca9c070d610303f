import { type Network, dispatcherFor } from '../../targets/traffic/transport.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { hasProblem, ok, skipped, warning, type Remark, problem, notSet } from './finding.ts';
import { isLoopback, placeOf, proxyFor, proxyText, type Proxy, placeText, type HostAndPort } from './proxy.ts';
import { examineTls } from './tls.ts';
import { lookup } from 'node:dns/promises';
import { isIP, connect } from 'node:net';
import { fileErrorCode } from '../command-line/argument-error.ts';
import { duration } from '../../reports/language.ts';
import { SettingError, type Settings } from '../settings/settings.ts';
import { openWebhookReceiver } from '../settings/webhook-receiver.ts';

/** Examines the way to the target: DNS, TCP, TLS; through a proxy, the first two are those of the proxy. */
export async function examineWay({ baseUrl, network = {} }: TargetAddress): Promise<Remark[]> {
  const url = new URL(baseUrl);
  const proxy = proxyFor(url, network);
  const first = placeOf(proxy?.url ?? url);
  const dns = ofProxy(await examineDns(first.host), proxy);
  if (hasProblem([dns]))
    return [dns, skipped('TCP', 'the host has no address'), skipped('TLS', 'the host has no address')];
  const tcp = ofProxy(await examineTcp(first), proxy);
  if (hasProblem([tcp])) return [dns, tcp, skipped('TLS', 'there is no connection')];
  return [dns, tcp, await examineSecurity(url, network, proxy)];
}

function ofProxy(finding: Remark, proxy: Proxy | undefined): Remark {
  return proxy ? { ...finding, examined: `${finding.examined} of the proxy in ${proxy.variable}` } : finding;
}

async function examineSecurity(url: URL, { extraCa }: Network, proxy: Proxy | undefined): Promise<Remark> {
  const place = placeOf(url);
  if (url.protocol === 'http:') return judgePlain(place.host);
  if (proxy) return skipped('TLS', `not looked at through ${proxyText(proxy)}: the echo below tells`);
  return examineTls(place, extraCa);
}

function judgePlain(host: string): Remark {
  if (isLoopback(host)) return ok('TLS', 'none: plain http on this machine');
  return warning('TLS', 'none: App Secrets travel unencrypted over plain http', 'use https:// in NFE_BASE_URL');
}

const mostShown = 4;

/** Looks a host up as every program on this machine does. */
async function examineDns(host: string): Promise<Remark> {
  if (isIP(host) > 0) return ok('DNS', `${host} is an address itself`);
  try {
    const found = await lookup(host, { all: true });
    const shown = found.slice(0, mostShown).map(({ address }) => address);
    return ok('DNS', `${host} is ${shown.join(', ')}`);
  } catch (error) {
    const code = fileErrorCode(error);
    return problem('DNS', `${host} can't be looked up (${code})`, lookupAdvice(code));
  }
}

function lookupAdvice(code: string): string {
  if (code === 'EAI_AGAIN') return 'no name server answers: check the network, or set HTTPS_PROXY where one is needed';
  return 'check the spelling of the address; a name of an internal network may need its VPN, or HTTPS_PROXY';
}

/** What a connection attempt came to: the address that was reached and the time that took, or the system's error code. */
type Connection = { readonly address: string; readonly ms: number } | { readonly error: string };

const timeoutMs = 4_000;

/** Connects to a place and hangs up. */
async function examineTcp(place: HostAndPort): Promise<Remark> {
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

/** What came of a request to the public address: whether the receiver saw it, and what the sender was told. */
interface WayBack {
  readonly hasArrived: boolean;
  /** "200", "ECONNREFUSED". */
  readonly told: string;
}

const examined = 'webhook receiver';
const arrivalMs = 5_000;

/** Listens where the settings say and sends a request to an unguessable path of the public address. */
export async function examineWebhook(settings: Settings, { network, webhook }: TargetAddress): Promise<Remark> {
  const { webhookPublicUrl } = settings;
  if (webhookPublicUrl === undefined && webhook.isReachable)
    return ok(examined, 'nothing to set: a target on this machine reaches it');
  if (webhookPublicUrl === undefined) {
    return notSet(
      examined,
      'webhook checks will not be exercised',
      'set NFE_WEBHOOK_PUBLIC_URL with NFE_WEBHOOK_LISTEN',
    );
  }
  try {
    const receiver = await openWebhookReceiver(settings);
    try {
      const address = receiver.address();
      const told = await post(address.url, network);
      const arrival = { hasArrived: address.deliveries().length > 0, told };
      return judgeArrival(arrival, webhookPublicUrl, receiver.origin, settings.webhookListen.port);
    } finally {
      await receiver.close();
    }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return problem(examined, error.message, 'the receiver must be able to listen there');
  }
}

/** Judges whether the public address leads to `origin`, where the receiver listens; `port` is what the setting says, 0 a free one. */
export function judgeArrival({ hasArrived, told }: WayBack, publicUrl: string, origin: string, port: number): Remark {
  if (hasArrived) return ok(examined, `a request to ${publicUrl} arrived at ${origin}`);
  const found = `a request to ${publicUrl} did not arrive at ${origin} (${told})`;
  if (port === 0 && !isLoopback(placeOf(new URL(publicUrl)).host)) {
    return warning(
      examined,
      found,
      'NFE_WEBHOOK_LISTEN takes a new port each time: give it the one that the public address leads to',
    );
  }
  return warning(examined, found, 'see that the public address leads there; some lead there from outside only');
}

/** What the sender of a request was told: the HTTP status, or the system's error code. */
async function post(url: string, network: Network | undefined): Promise<string> {
  const dispatcher = dispatcherFor(network);
  const { origin, pathname, search } = new URL(url);
  try {
    const answer = await dispatcher.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(arrivalMs),
    });
    await answer.body.dump();
    return `HTTP ${answer.statusCode}`;
  } catch (error) {
    return fileErrorCode(error);
  } finally {
    await dispatcher.destroy();
  }
}
