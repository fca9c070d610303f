import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signedRequest } from './signed-request.ts';
import { openTransport } from './transport.ts';

const server = createServer((request, response) => response.end(String(request.socket.remotePort)));
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise((resolve) => void server.close(resolve)));

function portOfServer(): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('an exchange tells the connection that it went over, of several at once each its own', async () => {
  const transport = openTransport(`http://127.0.0.1:${portOfServer()}`, undefined);
  const call = { method: 'GET', path: '/openapi/x' };
  const request = signedRequest({ call, token: 't', timestamp: '1' });
  const exchanges = await Promise.all(Array.from({ length: 4 }, () => transport.send(request)));
  const again = await transport.send(request);
  await transport.close();
  for (const { response } of [...exchanges, again]) {
    expect(response?.connection).toBe(Number(response?.rawBody.toString('utf8')));
  }
  expect(new Set(exchanges.map(({ response }) => response?.connection)).size).toBeGreaterThan(1);
});
