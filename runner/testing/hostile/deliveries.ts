import { Agent, request, createServer, type RequestListener } from 'node:http';
import { connect, type Socket } from 'node:net';
import {
  type Seen,
  withLife,
  breachAlone,
  type HostileTarget,
  quickClauses,
  type Ending,
  unreachable,
} from './front.ts';
import { freePort } from '../folders.ts';
import { startSimulator } from '../../../simulator/start.ts';
import { passOn, ofClauses } from '../runs.ts';
import { listening } from '../troubles/front.ts';

/** Clauses that wait for callbacks, with the one that the planted breach breaks. */
const clauses = ['echo.message-returned', 'issuance-callback.bare-object', 'issuance-callback.token'];

/** What is done to a receiver while checks wait for callbacks; resolves once the worst is over. */
type Assault = (url: URL, isOver: () => boolean) => Promise<void>;

const mega = 1024 * 1024;

/** Receivers that are sent more than they wait for: the callbacks among it are judged all the same. */
export const deliveries: readonly HostileTarget[] = [
  assaulted('3,000 deliveries of 30 kB', posts(3_000, 30_000)),
  assaulted('400 deliveries of 1 MB and 10 of 50 MB', together(posts(400, mega - 10), posts(10, 50 * mega))),
  assaulted('1,500 deliveries to unknown paths', posts(1_500, 1_000, '/nobody-knows')),
  assaulted(
    'deliveries without an end, slow ones and fast ones',
    together(connections(50, endless), connections(2, pouring)),
  ),
  assaulted(
    'deliveries whose headers drip, headers of 1 MB, resets, and 1,000 connections that say nothing',
    together(
      connections(200, dripping),
      connections(50, (socket, url) => void socket.write(`${headOf(url)}x-long: ${'h'.repeat(mega)}\r\n\r\n`)),
      connections(200, (socket, url) => {
        socket.write(`${headOf(url)}content-length: 100\r\n\r\nhalf`, () => socket.resetAndDestroy());
      }),
      connections(1_000, () => undefined),
    ),
  ),
];

function together(...assaults: readonly Assault[]): Assault {
  return async (url, isOver) => void (await Promise.all(assaults.map((assault) => assault(url, isOver))));
}

function assaulted(name: string, assault: Assault): HostileTarget {
  let [isOver, worst] = [false, Promise.resolve()];
  const onRequest = async ({ path, method, bodyText }: Seen): Promise<void> => {
    if (path === '/openapi/v1/webhooks') {
      const url = /"uri":"([^"]+)"/.exec(bodyText)?.[1];
      if (url !== undefined) worst = assault(new URL(url), () => isOver).catch(() => undefined);
    }
    // Whoever issues waits for a callback: that is when the worst comes.
    if (method === 'POST' && path.includes('nf-e')) await worst;
  };
  const kind = withLife(name, { onRequest }, { words: ofClauses(...clauses), ends: breachAlone });
  return {
    ...kind,
    async start(upstream) {
      [isOver, worst] = [false, Promise.resolve()];
      const port = await freePort();
      const { settings, stop } = await kind.start(upstream);
      const place = `127.0.0.1:${port}`;
      return {
        settings: { ...settings, NFE_WEBHOOK_LISTEN: place, NFE_WEBHOOK_PUBLIC_URL: `http://${place}/hooks` },
        async stop() {
          isOver = true;
          await stop();
        },
      };
    },
  };
}

/** So many deliveries over a few connections. */
function posts(count: number, bytes: number, path?: string): Assault {
  return async (url, isOver) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const body = Buffer.alloc(bytes, 'x');
    let left = count;
    const sender = async (): Promise<void> => {
      while (left-- > 0 && !isOver()) await post(agent, url, path ?? url.pathname, body);
    };
    await Promise.all(Array.from({ length: 8 }, sender));
    agent.destroy();
  };
}

function post(agent: Agent, { hostname, port }: URL, path: string, body: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const sent = request({ agent, hostname, port, path, method: 'POST', headers }, (answer) => {
      answer
        .resume()
        .on('end', resolve)
        .on('error', () => resolve());
    });
    sent.on('error', () => resolve());
    sent.end(body);
  });
}

/** So many connections at once, each of which does the same. */
function connections(count: number, act: (socket: Socket, url: URL) => void): Assault {
  return (url, isOver) => {
    for (let at = 0; at < count; at++) {
      const socket = connect(Number(url.port), url.hostname, () => act(socket, url));
      socket.on('error', () => socket.destroy());
      const timer = setInterval(() => isOver() && socket.destroy(), 100);
      socket.on('close', () => clearInterval(timer));
    }
    return new Promise((resolve) => setTimeout(resolve, 1_000));
  };
}

function headOf({ pathname, host }: URL): string {
  return `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\n`;
}

function endless(socket: Socket, url: URL): void {
  socket.write(`${headOf(url)}transfer-encoding: chunked\r\n\r\n`);
  const timer = setInterval(() => socket.write('1\r\nx\r\n'), 500);
  socket.on('close', () => clearInterval(timer));
}

function pouring(socket: Socket, url: URL): void {
  socket.write(`${headOf(url)}transfer-encoding: chunked\r\n\r\n`);
  const piece = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  const pour = (): void => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('drain', () => setTimeout(pour, 30));
  pour();
}

function dripping(socket: Socket, url: URL): void {
  socket.write(headOf(url));
  const timer = setInterval(() => socket.write('x-more: 1\r\n'), 500);
  socket.on('close', () => clearInterval(timer));
}

/** Nobody is accused of what the control API does. */
const settingsTrouble: Ending = { verdict: 'error', status: 2, trouble: 'settings', failed: [] };

/** Control APIs that answer as no control API ought to. */
export const controls: readonly HostileTarget[] = [
  control('a control API that answers at one byte a second', () => drip),
  control('a control API that makes two applications, and then answers at one byte a second', afterTwo, {
    ends: unreachable,
  }),
  control('a control API that answers 100 MB', () => (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end(Buffer.alloc(100 * mega, 0x20));
  }),
  control('a control API that answers JSON 100,000 deep', () => (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    outgoing.end('['.repeat(100_000) + ']'.repeat(100_000));
  }),
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
  { ends = settingsTrouble }: Partial<Pick<HostileTarget, 'ends'>> = {},
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
    words: ofClauses(...quickClauses),
    ends,
    isSlow: true,
  };
}
