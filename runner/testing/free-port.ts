import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to the near ends of connections: one of those might be taken before anybody listens at it. */
const [lowest, above] = [20_000, 32_000];

/** A port of 127.0.0.1 that nobody listens at, for a server that is started a little later. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, above);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
