import { createServer, type RequestListener, type Server } from 'node:http';
import type { TargetAddress } from '../address.ts';

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
      server = await listening(listener, port);
    },
  };
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
