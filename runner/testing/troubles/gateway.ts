import { createServer } from 'node:http';
import { passOn } from '../runs.ts';
import { lookInBetween } from './advice.ts';
import { listening } from './front.ts';
import type { StagedTrouble, Upstream } from './staged-trouble.ts';

/** Gateways that hand requests on, but not as they came. */
export const gatewayTroubles: readonly StagedTrouble[] = [
  {
    name: 'a gateway that takes the token header away',
    start: handingOn(without('token')),
    says: [/10009000/, /\btoken\b/],
    advises: [lookInBetween],
  },
  {
    name: 'a gateway that takes the sign header away',
    start: handingOn(without('sign')),
    says: [/10009000/, /\bsign\b/],
    advises: [lookInBetween],
  },
  {
    name: 'a gateway that lower-cases the values of headers',
    start: handingOn((raw) => raw.map((text, index) => (index % 2 === 0 ? text : text.toLowerCase()))),
    says: [/10009002/, /capital|upper|lower|letter case/i],
    advises: [lookInBetween],
    names: ['NFE_APP_SECRET'],
  },
];

function handingOn(headersSent: (raw: readonly string[]) => readonly string[]): StagedTrouble['start'] {
  return async (upstream) => {
    const { port, stop } = await listening(createServer(passOn(upstream.baseUrl, { headersSent })));
    const settings = { NFE_BASE_URL: `http://127.0.0.1:${port}`, NFE_APP_SECRET: await capitalSecret(upstream) };
    return { settings, stop };
  };
}

/** Headers without that one; names and values stand in turn. */
function without(name: string): (raw: readonly string[]) => readonly string[] {
  return (raw) => raw.filter((_, index) => raw[index - (index % 2)]?.toLowerCase() !== name);
}

/** A secret that is another one in small letters. */
async function capitalSecret(upstream: Upstream): Promise<string> {
  const secret = await upstream.secret();
  return secret === secret.toLowerCase() ? capitalSecret(upstream) : secret;
}
