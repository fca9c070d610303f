import { createServer, type RequestListener } from 'node:http';
import { startSimulator } from '../../../simulator/start.ts';
import { passOn } from '../runs.ts';
import { listening } from '../troubles/front.ts';
import type { Ending, HostileTarget } from './hostile-target.ts';
import { clauseWords, quickClauses } from './kinds.ts';

const mega = 1024 * 1024;

/** Nobody is accused of what the control API does. */
const settingsTrouble: Ending = { verdict: 'error', status: 2, trouble: 'settings', failed: [] };

/** Control APIs that answer as no control API ought to. */
export const controls: readonly HostileTarget[] = [
  control('a control API that answers at one byte a second', () => drip),
  control('a control API that makes two applications, and then answers at one byte a second', afterTwo, {
    ends: { verdict: 'incomplete', status: 0, failed: [] },
  }),
  control(
    'a control API that answers 100 MB',
    () => (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end(Buffer.alloc(100 * mega, 0x20));
    },
    { isBig: true },
  ),
  control(
    'a control API that answers JSON 100,000 deep',
    () => (_, outgoing) => {
      outgoing.writeHead(200, { 'content-type': 'application/json' });
      outgoing.end('['.repeat(100_000) + ']'.repeat(100_000));
    },
    { isBig: true },
  ),
  control('a control API that resets its connections', () => (incoming) => incoming.socket.resetAndDestroy()),
];

const drip: RequestListener = (_, outgoing) => {
  outgoing.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => outgoing.write(' '), 1000);
  outgoing.on('close', () => clearInterval(timer));
};

function afterTwo(onward: RequestListener): RequestListener {
  let made = 0;
  return (incoming, outgoing) => {
    if (incoming.url === '/control/v1/applications') made += 1;
    const isDripping = made > 2 && incoming.method === 'POST';
    if (isDripping) drip(incoming, outgoing);
    else onward(incoming, outgoing);
  };
}

function control(
  name: string,
  listenerOf: (onward: RequestListener) => RequestListener,
  { ends = settingsTrouble, isBig }: Partial<Pick<HostileTarget, 'ends' | 'isBig'>> = {},
): HostileTarget {
  return {
    name,
    async start() {
      const simulator = await startSimulator();
      const { port, stop } = await listening(createServer(listenerOf(passOn(simulator.baseUrl))));
      const front = await listening(createServer(passOn(simulator.baseUrl)));
      return {
        settings: {
          NFE_BASE_URL: `http://127.0.0.1:${front.port}`,
          NFE_CONTROL_URL: `http://127.0.0.1:${port}`,
          NFE_CONTROL_TOKEN: simulator.controlToken ?? '',
          NFE_APP_SECRET: simulator.readyApplication().appSecret,
          NFE_NUM_RUNS: '2',
        },
        async stop() {
          await Promise.all([stop(), front.stop()]);
          await simulator.stop();
        },
      };
    },
    words: clauseWords(quickClauses),
    ends,
    isSlow: true,
    ...(isBig ? { isBig } : {}),
  };
}
