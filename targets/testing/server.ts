import { createServer, type RequestListener, type Server } from 'node:http';
import type { TargetAddress } from '../address.ts';
import { connect, type Socket } from 'node:net';
import { afterEach, vi } from 'vitest';
import { Agent, request } from 'undici';
import { openReceiver, type Receiver, type ReceiverOptions } from '../receiver/receiver.ts';

/** A server that can be killed and started again at its address. */
export interface MortalServer {
  readonly baseUrl: string;
  kill(): void;
  startAgain(): Promise<void>;
}

/** Starts a server on a free loopback port. */
export async function mortalServer(listener: RequestListener): Promise<MortalServer> {
  let server = await listening(listener, 0);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    kill() {
      server.closeAllConnections();
      server.close();
    },
    async startAgain() {
      server = await whenFree(() => listening(listener, port));
    },
  };
}

/**
 * Starts again what has just stopped to listen: a process that another thread starts holds whatever is open here until its own
 * program runs, so that the port is taken for some milliseconds.
 */
export function whenFree<T>(start: () => Promise<T>): Promise<T> {
  return vi.waitFor(start, { timeout: 10_000, interval: 20 });
}

function listening(listener: RequestListener, port: number): Promise<Server> {
  const server = createServer(listener);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** Answers every request with that status, once its body is there. */
export function answering(status: number): RequestListener {
  return (incoming, outgoing) => void incoming.resume().on('end', () => outgoing.writeHead(status).end('{}'));
}

/** Takes every request and answers none. */
export const blackHole: RequestListener = (incoming) => void incoming.resume();

/** A server of somebody else's at that address, known by one secret, to test with; the change replaces some of it. */
export function foreignAddress(baseUrl: string, change: Partial<TargetAddress> = {}): TargetAddress {
  return {
    kind: 'sandbox',
    baseUrl,
    credentials: { active: 'a-secret' },
    maxRps: 0,
    allowProducao: false,
    rateBurst: 0,
    clockSkewSeconds: 0,
    xmlContentType: 'application/xml',
    profile: { folder: '', files: [] },
    isSlow: false,
    webhook: { listen: { host: '127.0.0.1', port: 0 }, headerPrefix: 'X-Service', isReachable: false },
    settleTimeoutSeconds: 1,
    ...change,
  };
}

/** Opens receivers on free loopback ports for one test file, and closes each behind its test. */
export function receivers(): (options?: Partial<ReceiverOptions>) => Promise<Receiver> {
  let open: Receiver[] = [];
  afterEach(async () => {
    await Promise.all(open.map((receiver) => receiver.close()));
    open = [];
  });
  return async (options) => {
    const receiver = await openReceiver({ listen: { host: '127.0.0.1', port: 0 }, ...options });
    open.push(receiver);
    return receiver;
  };
}

/** What a sender gets back. */
interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bodyText: string;
}

/** Posts to an address as a target does, on a connection of its own. Rejects without a response. */
export async function post(url: string, body: string | Buffer = '', signal?: AbortSignal): Promise<Got> {
  const dispatcher = new Agent({ pipelining: 0 });
  try {
    const headers = { 'content-type': 'application/json' };
    const sent = await request(url, { dispatcher, method: 'POST', headers, body, ...(signal ? { signal } : {}) });
    return { status: sent.statusCode, headers: sent.headers, bodyText: await sent.body.text() };
  } finally {
    await dispatcher.destroy();
  }
}

/** A connection to a receiver on which bytes are written by hand, and all that came back once it is closed. */
export function rawConnection(receiver: Receiver): { socket: Socket; received: Promise<string> } {
  const socket = connect(Number(new URL(receiver.origin).port), '127.0.0.1');
  let text = '';
  const received = new Promise<string>((resolve) => {
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    // A connection that the receiver cuts off may end in an error; its bytes are what counts.
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
  return { socket, received };
}

/** The path under which an address is called. */
export function pathOf({ url }: { url: string }): string {
  return new URL(url).pathname;
}
