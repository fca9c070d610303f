import type { Socket } from 'node:net';
import { createServer } from 'node:net';
import { listening } from '../troubles/front.ts';
import { afterPreflight, frontOf, headOf, isEchoOfCheck, written, type HostileAnswer, type Give } from './front.ts';
import { accused, breached, clauseWords, hopeless, quickClauses } from './kinds.ts';
import { unreachable, type HostileTarget } from './hostile-target.ts';

const dripMs = 1000;

/** Answers that never end, a little at a time. */
export const drips: readonly HostileTarget[] = slow([
  ofManyRequests('everything at one byte a second, once the preflight is over', unreachable),
  accused('the echoes of checks at one byte a second', {
    meets: isEchoOfCheck,
    give: dripping((answer) => [headOf({ ...answer, headers: [['content-length', '300']] }), ' '.repeat(300)]),
  }),
  hopeless('the status line at one byte a second', { give: dripping(() => ['', 'HTTP/1.1 200 OK'.padEnd(200, 'K')]) }),
  hopeless('a body at one byte a second', {
    give: dripping((answer) => [headOf({ ...answer, headers: [['content-length', '300']] }), ' '.repeat(300)]),
  }),
  hopeless('a chunk of one byte a second, for ever', { give: everySecond('1\r\n \r\n', chunkedHead) }),
  hopeless('a new header each second, for ever', { give: everySecond('x-more: 1\r\n', 'HTTP/1.1 200 OK\r\n') }),
  hopeless('100 Continue for ever', { give: everySecond('HTTP/1.1 100 Continue\r\n\r\n', '', 20) }),
  hopeless('102 Processing for ever', { give: everySecond('HTTP/1.1 102 Processing\r\n\r\n', '', 20) }),
  hopeless('103 Early Hints for ever', { give: everySecond('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', '', 20) }),
  hopeless(
    '103 Early Hints as fast as they go',
    { give: flooding('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n') },
    { isBig: true },
  ),
  breached('103 Early Hints before each answer', {
    give: (socket, answer) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n');
      socket.end(written(answer));
    },
  }),
  {
    name: 'a TLS handshake that is never answered',
    start: async (upstream) => {
      const { port, stop } = await listening(createServer((socket) => socket.resume()));
      return { settings: { NFE_BASE_URL: `https://127.0.0.1:${port}`, NFE_APP_SECRET: upstream.secrets.active }, stop };
    },
    words: clauseWords(['echo.status']),
    ends: { verdict: 'error', status: 2, failed: [] },
  },
]);

/** Those that wait for what does not come. */
function slow(targets: readonly HostileTarget[]): readonly HostileTarget[] {
  return targets.map((target) => ({ ...target, isSlow: true }));
}

/** What has begun in one run is not to be known to the next. */
function ofManyRequests(name: string, ends: HostileTarget['ends']): HostileTarget {
  const give = dripping((answer) => [headOf(answer), ' '.repeat(300)]);
  const start: HostileTarget['start'] = (upstream) => frontOf(upstream, { meets: afterPreflight(), give });
  return { name, start, words: clauseWords(quickClauses), ends };
}

function chunkedHead(answer: HostileAnswer): Buffer {
  return headOf({ ...answer, headers: [['transfer-encoding', 'chunked']] });
}

/** What comes at once, and what comes a byte at a time. */
function dripping(parts: (answer: HostileAnswer) => readonly [Buffer | string, string]): Give {
  return (socket, answer) => {
    const [atOnce, slowly] = parts(answer);
    let at = 0;
    socket.write(atOnce);
    repeat(socket, dripMs, () => socket.write(slowly[at++] ?? ' '));
  };
}

function everySecond(text: string, head: string | ((answer: HostileAnswer) => Buffer), ms = dripMs): Give {
  return (socket, answer) => {
    socket.write(typeof head === 'string' ? head : head(answer));
    repeat(socket, ms, () => socket.write(text));
  };
}

function flooding(text: string): Give {
  const piece = text.repeat(1000);
  return (socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pour);
    pour();
  };
}

function repeat(socket: Socket, ms: number, act: () => void): void {
  const timer = setInterval(act, ms);
  socket.on('close', () => clearInterval(timer));
}
