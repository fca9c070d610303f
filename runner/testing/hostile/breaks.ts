import { createServer, type Socket } from 'node:net';
import { listening } from '../troubles/front.ts';
import { giving, headOf, inTurn, written, type HostileAnswer, type Give } from './front.ts';
import { accused, breached, clauseWords, hopeless, quickClauses } from './kinds.ts';
import { unreachable, type HostileTarget } from './hostile-target.ts';

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
  hopeless('a reset of everything', { give: (socket) => void socket.resetAndDestroy() }),
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
    words: clauseWords(quickClauses),
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
