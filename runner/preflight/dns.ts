import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fileErrorCode } from '../results/file-error.ts';
import { ok, problem, type Remark } from './finding.ts';

const mostShown = 4;

/** Looks a host up as every program on this machine does. */
export async function examineDns(host: string): Promise<Remark> {
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
