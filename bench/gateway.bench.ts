import { createServer } from 'node:http';
import { test } from 'vitest';
import type { Draft } from '../contract/request.ts';
import { signedRequest } from '../client/signed-request.ts';
import { openTransport } from '../client/transport.ts';
import { echoCall } from '../generators/calls.ts';
import { startSimulator } from '../simulator/start.ts';

test('an echo through the simulator, compared with a server that does nothing', async ({ bench }) => {
  const simulator = await startSimulator();
  const { appSecret } = simulator.readyApplication();
  const idle = createServer((incoming, outgoing) => void incoming.resume().on('end', () => outgoing.end('{}')));
  await new Promise<void>((resolve) => idle.listen(0, '127.0.0.1', resolve));
  const address = idle.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const [toSimulator, toIdle] = [simulator.baseUrl, `http://127.0.0.1:${port}`].map((url) =>
    openTransport(url, undefined),
  );
  const draft = (): Draft => ({
    call: echoCall('bench'),
    token: appSecret,
    timestamp: String(Math.floor(Date.now() / 1000)),
  });
  await bench.compare(
    bench('idle server', async () => void (await toIdle?.send(signedRequest(draft())))),
    bench('simulator', async () => void (await toSimulator?.send(signedRequest(draft())))),
  );
  await Promise.all([toIdle?.close(), toSimulator?.close(), simulator.stop()]);
  idle.close();
});
