import type { Network } from '../../targets/traffic/transport.ts';
import type { TargetAddress } from '../../targets/address.ts';
import { examineDns } from './dns.ts';
import { hasProblem, ok, skipped, warning, type Remark } from './finding.ts';
import { isLoopback, placeOf, placeText } from './place.ts';
import { proxyFor, proxyText, type Proxy } from './proxy.ts';
import { examineTcp } from './tcp.ts';
import { examineTls } from './tls.ts';
import { judgeRefusal, openTunnel } from './tunnel.ts';

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
  if (!proxy) return examineTls(place, extraCa);
  if (!/^https?:$/.test(proxy.url.protocol)) {
    return ok('TLS', `not looked at through ${proxyText(proxy)}: the echo below tells`);
  }
  const tunnel = await openTunnel(proxy, place, extraCa);
  if (!('socket' in tunnel)) return judgeRefusal(proxy, place, tunnel);
  const finding = await examineTls(place, extraCa, tunnel.socket);
  return { ...finding, found: `${finding.found}; ${placeText(place)} through ${proxyText(proxy)}` };
}

function judgePlain(host: string): Remark {
  if (isLoopback(host)) return ok('TLS', 'none: plain http on this machine');
  return warning('TLS', 'none: App Secrets travel unencrypted over plain http', 'use https:// in NFE_BASE_URL');
}
