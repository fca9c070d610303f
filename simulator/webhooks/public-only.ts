import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';
import { isPublicAddress } from './public-addresses.ts';

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
