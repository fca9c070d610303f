import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6 } from 'node:net';
import { sendReply, type Reply } from './reply.ts';
import { receiveRequest, type RequestFacts } from './request-facts.ts';

/** A listening server. */
export interface Listening {
  /** `http://host:port`, as a caller on this machine reaches it. */
  readonly origin: string;
  /** Stops listening and closes every connection, idle or not. */
  close(): Promise<void>;
}

const idleConnectionMs = 60_000;

/** Listens on that address and answers each request by `handle`; port 0 takes a free one. Rejects with the system's error. */
export async function listen(
  host: string,
  port: number,
  handle: (request: RequestFacts) => Promise<Reply>,
): Promise<Listening> {
  const server = createServer({ keepAliveTimeout: idleConnectionMs, requestTimeout: 0 });
  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void =>
    void answer(incoming, response, handle);
  server.on('request', onRequest);
  // Without a listener Node refuses unknown `Expect` headers with 417 before the gateway has seen the request.
  server.on('checkExpectation', onRequest);
  await bound(server, host, port);
  return { origin: originOf(server, host), close: () => closed(server) };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  handle: (request: RequestFacts) => Promise<Reply>,
): Promise<void> {
  try {
    const request = await receiveRequest(incoming);
    if (request) sendReply(response, await handle(request));
  } catch (error) {
    console.error('simulator: a request failed inside the simulator:', error);
    if (!response.headersSent) sendReply(response, internalError);
  }
}

const internalError: Reply = {
  status: 500,
  body: { code: 'SIM-INTERNAL', message: 'the simulator failed; its standard error says why' },
};

function bound(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** An address that means "every interface" is no address to call: loopback stands for it. */
const callable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function originOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const name = callable[host] ?? host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
