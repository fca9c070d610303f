import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { Server, Socket } from 'node:net';
import { passOn } from '../runs.ts';
import { type ApplicationWish, Control } from '../../../targets/control.ts';
import { portOf } from '../../../targets/testing/served.ts';
import { startSimulator } from '../../../simulator/start.ts';

/** A server that listens. */
interface Front {
  readonly port: number;
  /** Breaks every connection, whatever it waits for. */
  readonly stop: () => Promise<void>;
}

/** Has a server of any protocol listen on a free loopback port. */
export async function listening(server: Server): Promise<Front> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
  });
  return {
    port: await portOf(server),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Trouble that an HTTP server makes, which is given the way to the right server; `path` ends its base address. */
export function inFront(listenerOf: (onward: RequestListener) => RequestListener, path = ''): StagedTrouble['start'] {
  return async (upstream) => {
    const { port, stop } = await listening(createServer(listenerOf(passOn(upstream.baseUrl))));
    const settings = { NFE_BASE_URL: `http://127.0.0.1:${port}${path}`, NFE_APP_SECRET: await upstream.secret() };
    return { settings, stop };
  };
}

/** Answers every request alike, once it has been read. */
export function answering(status: number, bodyText: string, headers: OutgoingHttpHeaders = {}): RequestListener {
  return (incoming, outgoing) => {
    incoming.resume().on('end', () => outgoing.writeHead(status, headers).end(bodyText));
  };
}

/** The same with a page for people. */
export function page(status: number, title: string): RequestListener {
  const html = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`;
  return answering(status, html, { 'content-type': 'text/html; charset=utf-8' });
}

/** The same with JSON. */
export function json(status: number, body: object): RequestListener {
  return answering(status, JSON.stringify(body), { 'content-type': 'application/json' });
}

/** A server that keeps the contract, which trouble is put in front of. */
export interface Upstream {
  readonly baseUrl: string;
  /** The App Secret of a new application: active and subscribed to everything, but for what is wished. */
  readonly secret: (wish?: ApplicationWish) => Promise<string>;
}

/** Trouble that is up. */
export interface Staged {
  /** What a person would set: settings of the suite, and variables of the network. */
  readonly settings: Readonly<Record<string, string>>;
  /** Texts that must show nowhere, besides the secrets among the settings. */
  readonly hidden?: readonly string[];
  readonly stop: () => Promise<void>;
}

/** Trouble in front of a right server, and what the one line about it holds: with it nobody can be judged. */
export interface StagedTrouble {
  /** What a person would call it: the title of its test. */
  readonly name: string;
  readonly start: (upstream: Upstream) => Promise<Staged>;
  /** The cause: all of these are found in the line. */
  readonly says: readonly RegExp[];
  /** What to do: likewise. */
  readonly advises: readonly RegExp[];
  /** Settings and variables that the line of `npm test` names; the doctor may say the same in the words of its finding. */
  readonly names?: readonly string[];
}

/** The simulator in this process; whoever starts it stops it. */
export async function startUpstream(): Promise<Upstream & Pick<Staged, 'stop'>> {
  const simulator = await startSimulator();
  const { baseUrl, controlUrl: url, controlToken: token } = simulator;
  if (url === undefined || token === undefined) throw new Error('the simulator has no control API');
  const control = new Control({ url, token }, undefined);
  return {
    baseUrl,
    secret: async (wish = {}) => (await control.createApplication(wish)).appSecret,
    async stop() {
      await control.close();
      await simulator.stop();
    },
  };
}

/** To look at the address again. */
export const checkAddress =
  /\b(?:check|set|correct|change) (?:the (?:base )?address|NFE_BASE_URL)\b|\b(?:it|NFE_BASE_URL) (?:ends|takes)\b/i;

/** To look at the way to the address. */
export const lookAtWay =
  /^(?:(?!\b(?:check|see|look|try|start|set)\b).)*\b(?:check|see|look|try|start|set)\b.*\b(?:address|NFE_BASE_URL|name|port|server|network|firewall|VPN|proxy)\b/im;

/** To look at what stands between the suite and the server. */
export const lookInBetween =
  /^(?=.*\b(?:ask|have|let|lets|allow|check|see|look)\b).*\b(?:firewall|WAF|proxy|gateway|in between)\b/im;
