import { createServer, type OutgoingHttpHeaders, type RequestListener } from 'node:http';
import type { Server, Socket } from 'node:net';
import { passOn } from '../runs.ts';
import type { StagedTrouble } from './staged-trouble.ts';

/** A server that listens. */
export interface Front {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return {
    port: address.port,
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
