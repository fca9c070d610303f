import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { Connections } from './connections.ts';

/** A `100 Continue`, to the empty line that ends it. */
const continues = /^HTTP\/1\.[01] 100(?: [^\r\n]*)?\r?\n(?:[^\r\n]+\r?\n)*\r?\n/;

const begun = Buffer.from('HTTP/1.1 100');

/** A content-length in a head, and the blanks behind it. */
const padded = /(\r\ncontent-length:[ \t]*\d+)[ \t]+(?=\r\n)/i;

/**
 * Connects as undici does, over sockets that give it what it takes for a broken answer in another form: without a `100 Continue`
 * nobody asked for, which a client is to discard, and without blanks behind a content-length, which undici 8 takes for digits.
 * RFC 9110, sections 15.2.1 and 5.5. There are no more of them than connections are allowed.
 */
export function connecting(options: buildConnector.BuildOptions, connections?: Connections): buildConnector.connector {
  const connect = buildConnector(options);
  return (to, callback) => {
    const open = (): void =>
      connect(to, (...[error, socket]) => {
        if (error) {
          connections?.noteBroken(error);
          callback(error, null);
        } else {
          connections?.add(socket);
          callback(null, readable(socket));
        }
      });
    if (connections) void connections.makeRoom().then(open);
    else open();
  };
}

function readable<S extends Socket>(socket: S): S {
  const read = socket.read.bind(socket);
  let held: Buffer = Buffer.alloc(0);
  return Object.assign(socket, {
    read(size?: number): unknown {
      const chunk: unknown = read(size);
      if (!Buffer.isBuffer(chunk)) return chunk;
      const come = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      const rest = afterContinues(come);
      // A part of it waits for what follows.
      held = isContinue(rest) ? rest : Buffer.alloc(0);
      return held.length > 0 || rest.length === 0 ? this.read(size) : withoutPadding(rest);
    },
  });
}

function isContinue(bytes: Buffer): boolean {
  return bytes.length >= begun.length && /^HTTP\/1\.[01] 100(?:[ \r\n]|$)/.test(bytes.toString('latin1', 0, 13));
}

/** What follows the interim answers at the start of what came. */
function afterContinues(bytes: Buffer): Buffer {
  if (!isContinue(bytes)) return bytes;
  const [interim] = continues.exec(bytes.toString('latin1')) ?? [];
  return interim === undefined ? bytes : afterContinues(bytes.subarray(interim.length));
}

/** What came, without blanks behind the content-length of a head that it begins with. */
function withoutPadding(bytes: Buffer): Buffer {
  const end = bytes.toString('latin1', 0, 5) === 'HTTP/' ? bytes.indexOf('\r\n\r\n') : -1;
  const head = end < 0 ? '' : bytes.toString('latin1', 0, end + 2);
  if (!padded.test(head)) return bytes;
  return Buffer.concat([Buffer.from(head.replace(padded, '$1'), 'latin1'), bytes.subarray(end + 2)]);
}
