import { createServer, type Server } from 'node:http';
import { listening, page, type Staged, type StagedTrouble, type Upstream } from './front.ts';
import { startSecure } from './tls.ts';

const deadOrigin = 'http://127.0.0.1:9';
const userInfo = 'maria:Pa55-of-the-proxy';

const wantsPassword = {
  says: [/407/, /password/i],
  advises: [/^(?:(?!\b(?:put|set|check|give)\b).)*\b(?:put|set|check|give)\b.*\bpassword\b/im],
};
const givesNoWay = [
  /^(?:(?!\b(?:check|see|ask|name|unset)\b).)*\b(?:check|see|ask|name|unset)\b.*\b(?:proxy|_PROXY|NO_PROXY)\b/im,
];

/** Proxies of a company that let nothing through. */
export const proxyTroubles: readonly StagedTrouble[] = [
  {
    name: 'a proxy that takes no such password for http',
    start: (upstream) => plainThrough(upstream, refusing(407, 'Proxy Authentication Required'), userInfo),
    ...wantsPassword,
    names: ['HTTP_PROXY'],
  },
  {
    name: 'a proxy that takes no such password for https',
    start: (upstream) => secureThrough(upstream, refusing(407, 'Proxy Authentication Required'), userInfo),
    ...wantsPassword,
    names: ['HTTPS_PROXY'],
  },
  {
    name: 'a proxy that forbids http to that host',
    start: (upstream) => plainThrough(upstream, refusing(403, 'Access Denied')),
    says: [/403/],
    advises: givesNoWay,
    names: ['HTTP_PROXY'],
  },
  {
    name: 'a proxy that forbids https to that host',
    start: (upstream) => secureThrough(upstream, refusing(403, 'Access Denied')),
    says: [/403/],
    advises: givesNoWay,
    names: ['HTTPS_PROXY'],
  },
  {
    name: 'a proxy that is not there, for http',
    start: async ({ baseUrl, secret }) => ({
      settings: { NFE_BASE_URL: baseUrl, NFE_APP_SECRET: await secret(), HTTP_PROXY: deadOrigin },
      stop: () => Promise.resolve(),
    }),
    says: [/ECONNREFUSED/],
    advises: [/\b(?:check|see|unset|correct)\b/i],
    names: ['HTTP_PROXY'],
  },
  {
    name: 'a proxy that is not there, for https',
    start: async (upstream) => withProxy(await startSecure(upstream), { HTTPS_PROXY: deadOrigin }),
    says: [/ECONNREFUSED/],
    advises: [/\b(?:check|see|unset|correct)\b/i],
    names: ['HTTPS_PROXY'],
  },
];

/** Answers every request, also one to connect, with a page. */
function refusing(status: number, title: string): Server {
  const server = createServer(page(status, title));
  server.on('connect', (_, socket) => {
    socket.end(`HTTP/1.1 ${status} ${title}\r\nProxy-Authenticate: Basic realm="proxy"\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}

async function plainThrough(upstream: Upstream, proxy: Server, user?: string): Promise<Staged> {
  const { port, stop } = await listening(proxy);
  const settings = { NFE_BASE_URL: upstream.baseUrl, NFE_APP_SECRET: await upstream.secret() };
  return withProxy({ settings, stop }, { HTTP_PROXY: proxyUrl(port, user) });
}

async function secureThrough(upstream: Upstream, proxy: Server, user?: string): Promise<Staged> {
  const [staged, { port, stop }] = await Promise.all([startSecure(upstream), listening(proxy)]);
  const both = async (): Promise<void> => void (await Promise.all([staged.stop(), stop()]));
  return withProxy({ ...staged, stop: both }, { HTTPS_PROXY: proxyUrl(port, user) });
}

function proxyUrl(port: number, user?: string): string {
  return `http://${user === undefined ? '' : `${user}@`}127.0.0.1:${port}`;
}

function withProxy(staged: Staged, proxy: Readonly<Record<string, string>>): Staged {
  return { ...staged, settings: { ...staged.settings, ...proxy }, hidden: userInfo.split(':').slice(1) };
}
