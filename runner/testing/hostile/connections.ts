import { ofClauses } from '../runs.ts';
import { createServer, type Socket } from 'node:net';
import { listening } from '../troubles/front.ts';
import {
  giving,
  headOf,
  inTurn,
  written,
  type HostileAnswer,
  type Give,
  afterPreflight,
  frontOf,
  isEchoOfCheck,
  accused,
  breached,
  hopeless,
  quickClauses,
  unreachable,
  type HostileTarget,
} from './front.ts';

/** Answers that end where they should not, or say other than they are. */
export const breaks: readonly HostileTarget[] = [
  accused('a reset before the status line, within it, within the headers, the body and a chunk, in turn', {
    give: inTurn<Parameters<Give>, void>(
      (socket) => void socket.resetAndDestroy(),
      resetAfter(() => 'HTTP/1.1 2'),
      resetAfter((answer) => headOf(answer).subarray(0, 40)),
      resetAfter((answer) => written(answer).subarray(0, -20)),
      resetAfter((answer) => Buffer.concat([chunkedHead(answer), Buffer.from('ff\r\n{"a"')])),
    ),
  }),
  breached('a reset after each whole answer', { give: resetAfter(written) }),
  accused('a length that is too long, too short, negative, of words, of twenty digits, and two of them, in turn', {
    give: inTurn(
      giving(lengthOf((length) => String(length + 10))),
      giving(lengthOf((length) => String(length - 10))),
      giving(lengthOf(() => '-5')),
      giving(lengthOf(() => 'much')),
      giving(lengthOf(() => '9'.repeat(20))),
      giving(lengthOf((length) => `${length}\r\ncontent-length: ${length + 1}`)),
    ),
  }),
  accused('chunks with a length beside them, of a size that is no number, and without an end, in turn', {
    give: inTurn(
      giving((answer) => Buffer.concat([headOf(withBoth(answer)), chunk(answer.body), Buffer.from('0\r\n\r\n')])),
      giving((answer) => Buffer.concat([chunkedHead(answer), Buffer.from('zz\r\n{}\r\n0\r\n\r\n')])),
      giving((answer) => Buffer.concat([chunkedHead(answer), chunk(answer.body)])),
    ),
  }),
  breached('trailers behind the body, HTTP/1.0 without a length, and an answer in pieces of one byte, in turn', {
    give: inTurn<Parameters<Give>, void>(giving(withTrailers), giving(oldFashioned), inBytes),
  }),
  hopeless('HTTP/0.9: a body alone', { give: giving(({ body }) => body) }),
  breached('garbage behind an answer, and an answer twice, on a connection that stays open, in turn', {
    give: inTurn<Parameters<Give>, void>(keptOpen('\u0000garbage\r\n\r\n'), (socket, answer) =>
      keptOpen(keptAlive(answer))(socket, answer),
    ),
  }),
  accused('a 204 and a 304 with a body, a 101, and statuses 99, 600 and 1000, in turn', {
    change: inTurn(...[204, 304, 101, 99, 600, 1000].map(withStatus)),
  }),
  {
    name: 'an answer before the request is read',
    start: async (upstream) => {
      const server = createServer((socket) => socket.once('data', () => socket.end(hasty)));
      const { port, stop } = await listening(server);
      return { settings: { NFE_BASE_URL: `http://127.0.0.1:${port}`, NFE_APP_SECRET: upstream.secrets.active }, stop };
    },
    words: ofClauses(...quickClauses),
    ends: unreachable,
  },
];

const hasty = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

function resetAfter(bytesOf: (answer: HostileAnswer) => Buffer | string): Give {
  return (socket, answer) => socket.write(bytesOf(answer), () => setTimeout(() => socket.resetAndDestroy(), 5));
}

function lengthOf(of: (length: number) => string): (answer: HostileAnswer) => Buffer {
  return (answer) => {
    const headers = [...answer.headers, ['content-length', of(answer.body.length)]] as const;
    return Buffer.concat([headOf({ ...answer, headers }), answer.body]);
  };
}

function chunkedHead(answer: HostileAnswer): Buffer {
  return headOf({ ...answer, headers: [...answer.headers, ['transfer-encoding', 'chunked'], ['connection', 'close']] });
}

function withBoth(answer: HostileAnswer): HostileAnswer {
  const { headers, body } = answer;
  return {
    ...answer,
    headers: [...headers, ['transfer-encoding', 'chunked'], ['content-length', String(body.length)]],
  };
}

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
}

function keptAlive({ headers, ...answer }: HostileAnswer): Buffer {
  const withLength = [...headers, ['content-length', String(answer.body.length)]] as const;
  return Buffer.concat([headOf({ ...answer, headers: withLength }), answer.body]);
}

function keptOpen(behind: string | Buffer): (socket: Socket, answer: HostileAnswer) => void {
  return (socket, answer) => void socket.write(Buffer.concat([keptAlive(answer), Buffer.from(behind)]));
}

function withTrailers(answer: HostileAnswer): Buffer {
  return Buffer.concat([chunkedHead(answer), chunk(answer.body), Buffer.from('0\r\nx-one: 1\r\nx-two: 2\r\n\r\n')]);
}

function oldFashioned(answer: HostileAnswer): Buffer {
  const { headers, body } = answer;
  const head = headOf({ ...answer, headers: [...headers, ['connection', 'close']] }).toString('latin1');
  return Buffer.concat([Buffer.from(head.replace(/^HTTP\/1\.1/, 'HTTP/1.0'), 'latin1'), body]);
}

function inBytes(socket: Socket, answer: HostileAnswer): void {
  socket.setNoDelay(true);
  for (const byte of written(answer)) socket.write(Buffer.of(byte));
  socket.end();
}

function withStatus(status: number): (answer: HostileAnswer) => HostileAnswer {
  return (answer) => ({ ...answer, status });
}

const dripMs = 1000;

/** Answers that never end, a little at a time. */
export const drips: readonly HostileTarget[] = slow([
  ofManyRequests('everything at one byte a second, once the preflight is over', unreachable),
  accused('the echoes of checks at one byte a second', {
    meets: isEchoOfCheck,
    give: dripping((answer) => [headOf({ ...answer, headers: [['content-length', '300']] }), ' '.repeat(300)]),
  }),
  hopeless('the status line at one byte a second', { give: dripping(() => ['', 'HTTP/1.1 200 OK'.padEnd(200, 'K')]) }),
  hopeless('a new header each second, for ever', { give: everySecond('x-more: 1\r\n', 'HTTP/1.1 200 OK\r\n') }),
  hopeless('100 Continue for ever', { give: everySecond('HTTP/1.1 100 Continue\r\n\r\n', '', 20) }),
  hopeless('103 Early Hints as fast as they go', { give: flooding('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n') }),
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
    words: ofClauses('echo.status'),
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
  return { name, start, words: ofClauses(...quickClauses), ends };
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

function everySecond(text: string, head: string, ms = dripMs): Give {
  return (socket) => {
    socket.write(head);
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
