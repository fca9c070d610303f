import type { Network } from '../../targets/traffic/transport.ts';
import { ok, problem, type Remark } from './finding.ts';
import { percentDecoded } from '../../trace/people/veil.ts';

/** The proxy that a URL is reached through, with the variable that names it. */
export interface Proxy {
  readonly url: URL;
  readonly variable: string;
}

/**
 * The proxy that the suite's HTTP client takes for a URL, `undefined` when it goes straight. HTTP_PROXY also serves https
 * where HTTPS_PROXY is unset. A malformed proxy counts as none: `judgeProxies` tells of it.
 */
export function proxyFor(url: URL, network: Network): Proxy | undefined {
  if (isExempt(url, network.noProxy ?? '')) return undefined;
  const [text, variable] =
    url.protocol === 'https:' && network.httpsProxy
      ? [network.httpsProxy, 'HTTPS_PROXY']
      : [network.httpProxy, 'HTTP_PROXY'];
  return text !== undefined && isProxyUrl(text) ? { url: new URL(text), variable } : undefined;
}

/** A proxy as it may be shown: without user and password. */
export function proxyText({ url, variable }: Proxy): string {
  return `${variable} (${url.protocol}//${url.host})`;
}

/** Passwords in the addresses of proxies, raw and decoded, each with the text that takes its place. */
export function proxySecrets({ httpProxy, httpsProxy }: Network): [string, string][] {
  const named = [
    [httpProxy, '$HTTP_PROXY'],
    [httpsProxy, '$HTTPS_PROXY'],
  ] as const;
  return named.flatMap(([text, stand]): [string, string][] => {
    const password = text !== undefined && URL.canParse(text) ? new URL(text).password : '';
    return password === '' ? [] : [password, percentDecoded(password)].map((secret) => [secret, stand]);
  });
}

/** Whether the proxies can be used at all, and which URL goes through which. `urls` are by the settings that name them. */
export function judgeProxies(network: Network, urls: ReadonlyMap<string, string>): Remark[] {
  const named = [
    ['HTTPS_PROXY', network.httpsProxy],
    ['HTTP_PROXY', network.httpProxy],
  ] as const;
  const malformed = named.filter(([, text]) => text !== undefined && !isProxyUrl(text));
  if (malformed.length > 0) {
    const advice = 'it takes an address such as http://proxy.example:3128, or its absence';
    return malformed.map(([variable]) => problem(variable, 'it is no address of a proxy', advice));
  }
  const isAnySet = named.some(([, text]) => text !== undefined);
  const ways = [...urls].map(([setting, text]) => `${setting} ${wayOf(new URL(text), network)}`);
  return [ok('proxy', isAnySet ? ways.join('; ') : 'none is set: every address is reached straight')];
}

function wayOf(url: URL, network: Network): string {
  const proxy = proxyFor(url, network);
  if (proxy) return `through ${proxyText(proxy)}`;
  return isExempt(url, network.noProxy ?? '') ? 'straight, by NO_PROXY' : 'straight';
}

/** Whether a text is the URL of a proxy that requests can go through. */
export function isProxyUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:\/\/[^/]/i.test(text);
}

/** NO_PROXY: names or addresses, with or without port; a name stands for its subdomains too, `*.name` for them alone, `*` for all. */
function isExempt(url: URL, noProxy: string): boolean {
  const { host, port } = placeOf(url);
  const name = host.toLowerCase().replace(/(?<=.)\.$/, '');
  return noProxy
    .split(/[,\s]+/)
    .filter(Boolean)
    .map(entryOf)
    .some((entry) => (entry.port === 0 || entry.port === port) && isNamed(name, entry));
}

interface Entry {
  readonly name: string;
  /** 0: any. */
  readonly port: number;
  readonly isWildcard: boolean;
}

function entryOf(text: string): Entry {
  const parts = /^(?:\[(?<ipv6>.+)\]|(?<name>[^:]+)):(?<port>\d+)$/.exec(text)?.groups;
  const name = parts?.['ipv6'] ?? parts?.['name'] ?? text.replace(/^\[(.+)\]$/, '$1');
  return {
    name: name
      .replace(/^\*?\./, '')
      .replace(/(?<=.)\.$/, '')
      .toLowerCase(),
    port: Number(parts?.['port'] ?? 0),
    isWildcard: text.startsWith('*'),
  };
}

function isNamed(host: string, { name, isWildcard }: Entry): boolean {
  return name === '*' || (!isWildcard && host === name) || host.endsWith(`.${name}`);
}

/** Where a connection leads. */
export interface HostAndPort {
  /** Name or IP address; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** The place that a URL leads to. */
export function placeOf({ hostname, port, protocol }: URL): HostAndPort {
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** A place as text: `host:port`, an IPv6 address in brackets. */
export function placeText({ host, port }: HostAndPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether a host is this machine by its very name. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
}
