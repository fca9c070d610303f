import { answering, inFront } from './front.ts';
import type { StagedTrouble } from './staged-trouble.ts';

/** Stands in the query of every redirect. */
const ticket = 'ticket-0f-a-session';

const xmlPath = '/openapi/v3/consultas/nf-e/xml';

/** Answers that point elsewhere: the line says where, without the query. */
export const redirectTroubles: readonly StagedTrouble[] = [
  redirected('a redirect with 301 to https of the same host', 301, (path) => `https://127.0.0.1${path}`, {
    says: /https:\/\/127\.0\.0\.1/,
    advises: /\bNFE_BASE_URL\b/,
  }),
  redirected('a redirect with 308 to https of the same host', 308, (path) => `https://127.0.0.1${path}`, {
    says: /https:\/\/127\.0\.0\.1/,
    advises: /\bNFE_BASE_URL\b/,
  }),
  redirected('a redirect with 302 to a login page', 302, () => 'https://login.test/sso/sign-in', {
    says: /https:\/\/login\.test\/sso\/sign-in/,
    advises: /\bNFE_BASE_URL\b|\bproxy\b|\bVPN\b|log in|sign in|login/i,
  }),
  redirected('a redirect with 307 to another host', 307, (path) => `http://api.test:8080${path}`, {
    says: /http:\/\/api\.test:8080/,
    advises: /\bNFE_BASE_URL\b/,
  }),
  redirected('a redirect with 307 that adds to the path', 307, (path) => `/nfe/v2${path}`, {
    says: /\/nfe\/v2/,
    advises: /\bNFE_BASE_URL\b/,
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
