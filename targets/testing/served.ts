import { createServer, type RequestListener, type Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

const servers: (Server | HttpServer)[] = [];

/** Has a server listen on a free loopback port until the tests of the file are over; gives the port. */
export async function portOf(server: Server | HttpServer): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server listens on no port');
  return address.port;
}

/** The base address of a server that answers so, for as long. */
export async function servedBy(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await portOf(createServer(listener))}`;
}

/** Ends the servers that were started so far. */
export function endServers(): void {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
}
