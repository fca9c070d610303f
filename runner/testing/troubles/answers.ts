import {
  checkAddress,
  lookInBetween,
  answering,
  inFront,
  json,
  page,
  listening,
  type StagedTrouble,
  type Upstream,
} from './front.ts';
import { createServer } from 'node:http';
import { passOn } from '../runs.ts';
import { codes } from '../../../contract/values.ts';

const isNoEcho = [/\b200\b/, /\becho\b/i];

/** Places that say yes to everything and are no service: captive portals, placeholders, mocks. */
export const portalTroubles: readonly StagedTrouble[] = [
  {
    name: 'a page with 200 to everything',
    start: inFront(() => page(200, 'Welcome to our network')),
    says: [/\b200\b/, /\bHTML\b|\bpage\b/i],
    advises: [checkAddress, lookInBetween],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'a JSON success with 200 to everything',
    start: inFront(() => json(200, { success: true })),
    says: isNoEcho,
    advises: [checkAddress],
    names: ['NFE_BASE_URL'],
  },
  {
    name: 'an empty body with 200 to everything',
    start: inFront(() => answering(200, '')),
    says: [...isNoEcho, /\bempty\b|\bnothing\b|no body|without body/i],
    advises: [checkAddress],
    names: ['NFE_BASE_URL'],
  },
];

/** Stands in the query of every redirect. */
const ticket = 'ticket-0f-a-session';

const xmlPath = '/openapi/v3/consultas/nf-e/xml';

/** Answers that point elsewhere: the line says where, without the query. */
export const redirectTroubles: readonly StagedTrouble[] = [
  redirected('a redirect with 302 to a login page', 302, () => 'https://login.test/sso/sign-in', {
    says: /https:\/\/login\.test\/sso\/sign-in/,
    advises: /\bNFE_BASE_URL\b|\bproxy\b|\bVPN\b|log in|sign in|login/i,
  }),
  redirected(
    'a redirect with 307 of one endpoint only',
    307,
    (path) => `https://consulta.test${path}`,
    {
      says: /^(?=.*https:\/\/consulta\.test).*nf-e\/xml/m,
      advises: /\bNFE_BASE_URL\b|\bproxy\b|\bgateway\b/i,
    },
    xmlPath,
  ),
];

/** A redirect of every path, or of one; `of` makes of the path where it leads. */
function redirected(
  name: string,
  status: number,
  of: (path: string) => string,
  { says, advises }: { readonly says: RegExp; readonly advises: RegExp },
  onlyPath?: string,
): StagedTrouble {
  const start = inFront((onward) => (incoming, outgoing) => {
    const { url: path = '' } = incoming;
    const isMeant = onlyPath === undefined || path === onlyPath;
    const redirect = answering(status, '', { location: `${of(path)}?ticket=${ticket}` });
    if (isMeant) redirect(incoming, outgoing);
    else onward(incoming, outgoing);
  });
  return {
    name,
    start: async (upstream) => ({ ...(await start(upstream)), hidden: [ticket] }),
    says: [new RegExp(String.raw`\b${RegExp.escape(String(status))}\b`), says],
    advises: [advises],
  };
}

/** Gateways that hand requests on, but not as they came. */
export const gatewayTroubles: readonly StagedTrouble[] = [
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

const { code, status } = codes.rateLimited;

/** Limits that let nothing through. */
export const rateLimitTroubles: readonly StagedTrouble[] = [
  {
    name: '429 to everything',
    start: inFront(() =>
      json(status, { success: false, errorType: 1, code, message: 'Limite de requisições excedido' }),
    ),
    says: [/\b429\b/, /\blimit/i],
    advises: [/\bNFE_MAX_RPS\b/, /\bwait\b|\blater\b/i],
  },
  {
    name: 'a page with 429 to everything, as of a network that delivers content',
    start: inFront(() => page(status, 'Error 1015: you are being rate limited')),
    says: [/\b429\b/, /\bHTML\b|\bpage\b/i],
    advises: [/\bNFE_MAX_RPS\b|\bproxy\b|\bfirewall\b|in between/, /\bwait\b|\blater\b|\bask\b/i],
  },
];
