import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import { storageFailure } from '../state/rows.ts';
import { type Reply, sendReply } from './reply.ts';
import { HeldBytes, Overloaded, receiveRequest, type RequestFacts } from './request-facts.ts';

/** A listening server. */
export interface Listening {
  /** `http://host:port`, as a caller on this machine reaches it. */
  readonly origin: string;
  /** Stops listening and closes every connection; those with a request under way have so long to answer it. */
  close(graceMs: number): Promise<void>;
}

const idleConnectionMs = 60_000;
/** What keeps callers from using a server up. */
export interface ServerLimits {
  /** How long a request may take to arrive: its head, and all of it. Node closes the connection then, with 408. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often that is looked after. */
  readonly checkEveryMs: number;
  readonly connections: number;
  /** Bytes of bodies, all requests together. */
  readonly heldBytes: number;
}

const usualLimits: ServerLimits = {
  headersMs: 20_000,
  requestMs: 120_000,
  checkEveryMs: 5_000,
  connections: 1_000,
  heldBytes: 128 * 1024 * 1024,
};

/** Listens on that address and answers each request by `handle`; port 0 takes a free one. Rejects with the system's error. */
export async function listen(
  host: string,
  port: number,
  handle: (request: RequestFacts) => Promise<Reply>,
  limits: ServerLimits = usualLimits,
): Promise<Listening> {
  const server = createServer({
    keepAliveTimeout: idleConnectionMs,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: limits.checkEveryMs,
  });
  server.maxConnections = limits.connections;
  const held = new HeldBytes(limits.heldBytes);
  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void =>
    void answer(incoming, response, held, handle);
  server.on('request', onRequest);
  // Without a listener Node refuses unknown `Expect` headers with 417 before the gateway has seen the request.
  server.on('checkExpectation', onRequest);
  const endQuiet = quietConnections(server);
  server.listen(port, host);
  await once(server, 'listening');
  return { origin: originOf(server, host), close: (graceMs) => closed(server, endQuiet, graceMs) };
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  held: HeldBytes,
  handle: (request: RequestFacts) => Promise<Reply>,
): Promise<void> {
  try {
    const request = await receiveRequest(incoming, held);
    if (!request) return;
    sendReply(response, hostsOf(request) > 1 ? twoHosts : await handle(request));
  } catch (error) {
    if (!response.headersSent) sendReply(response, failure(error));
  }
}

/** Two of them, and nobody knows whom the request is for. */
function hostsOf({ rawHeaders }: RequestFacts): number {
  return rawHeaders.filter((name, at) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === 'host').length;
}

const twoHosts: Reply = { status: 400, body: { code: 'SIM-BAD-REQUEST', message: 'more than one Host header' } };

/** What a request that failed inside the simulator is answered, and standard error told. */
function failure(error: unknown): Reply {
  if (error instanceof Overloaded) return overloaded;
  const storage = storageFailure(error);
  if (storage !== undefined) {
    console.error(`simulator: ${storage}`);
    return { status: 500, body: { code: 'SIM-STORAGE', message: storage } };
  }
  console.error('simulator: a request failed inside the simulator:', error);
  return internalError;
}

const internalError: Reply = {
  status: 500,
  body: { code: 'SIM-INTERNAL', message: 'the simulator failed; its standard error says why' },
};

const overloaded: Reply = {
  status: 503,
  headers: { connection: 'close' },
  body: { code: 'SIM-OVERLOADED', message: 'the bodies of other requests fill the memory; send it again later' },
};

/**
 * Gives what ends the connections that no request is under way on, and those that have one once it is answered: Node waits for who
 * has connected and sent nothing yet, and for who keeps its connection.
 */
function quietConnections(server: Server): () => void {
  const underWay = new Map<Socket, number>();
  let isEnding = false;
  const count = (socket: Socket, change: number): void => {
    const before = underWay.get(socket);
    if (before === undefined) return;
    underWay.set(socket, before + change);
    if (isEnding && before + change === 0) socket.destroySoon();
  };
  const onRequest = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  };
  server.on('connection', (socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  return () => {
    isEnding = true;
    for (const [socket, requests] of underWay) if (requests === 0) socket.destroySoon();
  };
}

function closed(server: Server, endQuiet: () => void, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    endQuiet();
    if (graceMs === 0) server.closeAllConnections();
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
