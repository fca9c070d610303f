import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';

/**
 * A connector that reaches public addresses only. What counts is the address that is connected to, of each connection: a name
 * that has changed its address since it was registered gets no further.
 */
export function publicOnly(
  lookup: LookupFunction,
  connectorOf: (lookup: LookupFunction) => buildConnector.connector,
): buildConnector.connector {
  const connect = connectorOf(checkedLookup(lookup));
  return (options, callback) => {
    const host = unbracketed(options.hostname);
    // An address needs no lookup, so the lookup would not see it.
    if (isIP(host) !== 0 && !isPublicAddress(host)) callback(notPublic(host), null);
    else connect(options, callback);
  };
}

/** Why an address may not be called, as far as it tells now; `undefined` when it may be. */
export function refusalOf(url: string, lookup: LookupFunction): Promise<string | undefined> {
  const host = unbracketed(new URL(url).hostname);
  return new Promise((resolve) => {
    if (isIP(host) !== 0) return resolve(isPublicAddress(host) ? undefined : notPublic(host).message);
    checkedLookup(lookup)(host, { all: true }, (error) => resolve(error?.message));
  });
}

function checkedLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) => {
    lookup(host, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      const refused = addresses.find((address) => !isPublicAddress(address));
      if (refused === undefined && addresses.length > 0) callback(null, found, family);
      else callback(notPublic(refused ?? host), found, family);
    });
  };
}

function notPublic(address: string): Error {
  return new Error(`${address} is not a public address, and the simulator calls no other (--public-callbacks-only)`);
}

function unbracketed(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1');
}

/** Whether an IP address is one that anybody on the internet reaches. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialPurpose.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, belongs to a link of this machine.
  return isIPv6(address) && !address.includes('%') && !specialPurpose.check(address, 'ipv6');
}

const ipv4Ranges: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8],
  ['169.254.0.0', 16], // link-local, metadata services of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24], // documentation, like 198.51.100 and 203.0.113
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4],
];

const ipv6Ranges: readonly (readonly [string, number])[] = [
  ['::', 96], // unspecified, loopback, and IPv4 in its oldest spelling
  ['64:ff9b::', 96], // these three lead to IPv4 addresses of any kind
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7], // unique local
  ['fe80::', 10], // link-local
  ['fec0::', 10],
  ['ff00::', 8], // multicast
];

/** Special-purpose ranges by the registries of IANA; an IPv6 address that maps an IPv4 one is judged by that one too. */
const specialPurpose = specialRanges();

function specialRanges(): BlockList {
  const ranges = new BlockList();
  for (const [network, bits] of ipv4Ranges) ranges.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of ipv6Ranges) ranges.addSubnet(network, bits, 'ipv6');
  return ranges;
}
