import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import type { Connections } from './connections.ts';

/** An interim answer and its status, to the empty line that ends it. */
const interim = /^HTTP\/1\.[01] (1\d\d)(?: [^\r\n]*)?\r?\n(?:[^\r\n]+\r?\n)*\r?\n/;

/** The beginning of one, or of a `100 Continue`. */
const [begun, continues] = [/^HTTP\/1\.[01] 1\d\d(?:[ \r\n]|$)/, /^HTTP\/1\.[01] 100(?:[ \r\n]|$)/];

/** How long a body is in a head, and the blanks behind that. */
const padded = /(\r\n(?:content-length:[ \t]*\d+|transfer-encoding:[ \t]*chunked))[ \t]+(?=\r\n)/i;

/**
 * Connects as undici does, over sockets that give it what it takes for a broken answer in another form: without a `100 Continue`
 * nobody asked for, which a client is to discard, and without blanks behind a content-length, which undici 8 takes for digits, or a tab
 * behind a transfer-encoding, with which it takes chunks for the body.
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
      const { passed, rest } = withoutContinues(held.length > 0 ? Buffer.concat([held, chunk]) : chunk);
      held = rest;
      return passed.length === 0 ? this.read(size) : withoutPadding(passed);
    },
  });
}

/** What came, without each `100 Continue` among the interim answers that it begins with; a part of one waits for the rest of it. */
function withoutContinues(bytes: Buffer): { readonly passed: Buffer; readonly rest: Buffer } {
  const none = Buffer.alloc(0);
  if (!begun.test(bytes.toString('latin1', 0, 13))) return { passed: bytes, rest: none };
  const kept: Buffer[] = [];
  let text = bytes.toString('latin1');
  for (let found = interim.exec(text); found; found = interim.exec(text)) {
    const [head, status] = found;
    if (status !== '100') kept.push(Buffer.from(head, 'latin1'));
    text = text.slice(head.length);
  }
  const rest = Buffer.from(text, 'latin1');
  return continues.test(text)
    ? { passed: Buffer.concat(kept), rest }
    : { passed: Buffer.concat([...kept, rest]), rest: none };
}

/** What came, without blanks behind the length of the body in a head that it begins with. */
function withoutPadding(bytes: Buffer): Buffer {
  const end = bytes.toString('latin1', 0, 5) === 'HTTP/' ? bytes.indexOf('\r\n\r\n') : -1;
  const head = end < 0 ? '' : bytes.toString('latin1', 0, end + 2);
  if (!padded.test(head)) return bytes;
  return Buffer.concat([Buffer.from(head.replace(padded, '$1'), 'latin1'), bytes.subarray(end + 2)]);
}
