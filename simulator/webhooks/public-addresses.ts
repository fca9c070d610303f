import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Whether an IP address is one that anybody on the internet reaches. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublic.check(address, 'ipv4');
  // A zone, as in fe80::1%eth0, belongs to a link of this machine.
  return isIPv6(address) && !address.includes('%') && !notPublic.check(address, 'ipv6');
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
const notPublic = specialRanges();

function specialRanges(): BlockList {
  const ranges = new BlockList();
  for (const [network, bits] of ipv4Ranges) ranges.addSubnet(network, bits, 'ipv4');
  for (const [network, bits] of ipv6Ranges) ranges.addSubnet(network, bits, 'ipv6');
  return ranges;
}
