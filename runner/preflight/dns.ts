import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { counted } from '../../reports/language.ts';
import { fileErrorCode } from '../results/file-error.ts';
import { ok, problem, type Remark } from './finding.ts';

/** What a lookup gave: the addresses of a host, or the system's error code. */
export type Lookup = { readonly addresses: readonly string[] } | { readonly error: string };

/** Looks a host up as every program on this machine does. */
export async function examineDns(host: string): Promise<Remark> {
  if (isIP(host) > 0) return ok('DNS', `${host} is an address itself`);
  try {
    const found = await lookup(host, { all: true });
    return judgeLookup(host, { addresses: found.map(({ address }) => address) });
  } catch (error) {
    return judgeLookup(host, { error: fileErrorCode(error) });
  }
}

const mostShown = 4;

export function judgeLookup(host: string, outcome: Lookup): Remark {
  if ('error' in outcome) {
    return problem('DNS', `${host} can't be looked up (${outcome.error})`, lookupAdvice(outcome.error));
  }
  const { addresses } = outcome;
  if (addresses.length === 0) return problem('DNS', `${host} has no address`, lookupAdvice('ENOTFOUND'));
  const shown = addresses.slice(0, mostShown).join(', ');
  const more = addresses.length - mostShown;
  return ok('DNS', `${host} is ${shown}${more > 0 ? ` and ${counted(more, 'address', 'addresses')} more` : ''}`);
}

function lookupAdvice(code: string): string {
  if (code === 'EAI_AGAIN') return 'no name server answers: check the network, or set HTTPS_PROXY where one is needed';
  return 'check the spelling of the address; a name of an internal network may need its VPN, or HTTPS_PROXY';
}
