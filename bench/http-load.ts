import { connect, type Socket } from 'node:net';
import { signedRequest } from '../client/sign.ts';
import type { Call } from '../contract/request.ts';
import type { Caller } from '../targets/applications.ts';

/** What came of a load. */
export interface Loaded {
  /** Statuses of the answers, with how many there were of each. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Milliseconds that each answer took, in ascending order. */
  readonly tookMs: readonly number[];
  /** How long the body of the last one was, where it told so ahead. */
  readonly bodyBytes: number;
}

/** How long a load lasts: so many requests, or until then by `performance.now()`. */
export type Until = { readonly requests: number } | { readonly atMs: number };

/**
 * Sends bytes over so many connections, on each the next request once the last one is answered. A client that costs next to
 * nothing: it reads of an answer its status and its length.
 */
export async function load(port: number, connections: number, next: () => Buffer, until: Until): Promise<Loaded> {
  const statuses = new Map<number, number>();
  const tookMs: number[] = [];
  let sent = 0;
  const mayGoOn = (): boolean => ('requests' in until ? sent < until.requests : performance.now() < until.atMs);
  let bodyBytes = 0;
  const one = async (): Promise<void> => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const answers = answersOn(socket);
    while (mayGoOn()) {
      sent += 1;
      const bytes = next();
      const started = performance.now();
      socket.write(bytes);
      const { status, length } = await answers();
      bodyBytes = length;
      tookMs.push(performance.now() - started);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: connections }, one));
  return { statuses, tookMs: tookMs.sort((a, b) => a - b), bodyBytes };
}

/** Waits for the next answer on a connection, all of it. */
function answersOn(socket: Socket): () => Promise<Begun> {
  let [answered, failed]: [(answer: Begun) => void, (error: Error) => void] = [() => undefined, () => undefined];
  let answer = new Begun();
  socket.on('error', (error) => failed(error));
  socket.on('close', () => failed(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    if (!answer.isWholeWith(chunk)) return;
    const whole = answer;
    answer = new Begun();
    answered(whole);
  });
  return () =>
    new Promise((resolve, reject) => {
      [answered, failed] = [resolve, reject];
    });
}

const endOfChunks = '\r\n0\r\n\r\n';

/** An answer of which some has come. */
class Begun {
  status = 0;
  /** Of its body, by its head; 0 of chunks. */
  length = 0;
  #head = '';
  /** Bytes that are to come; of chunks nobody knows how many. */
  #left: number | 'chunks' | undefined;
  #end = '';

  /** Takes what has come; whether that was all. */
  isWholeWith(chunk: Buffer): boolean {
    if (this.#left === undefined) {
      this.#head += chunk.toString('latin1');
      const end = this.#head.indexOf('\r\n\r\n');
      if (end < 0) return false;
      this.status = Number(this.#head.slice(9, 12));
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(this.#head.slice(0, end)) ?? [];
      const isChunked = length === undefined && /\r\ntransfer-encoding: *chunked/i.test(this.#head);
      this.length = Number(length ?? 0);
      this.#left = isChunked ? 'chunks' : this.length - (this.#head.length - end - 4);
      this.#end = this.#head.slice(-endOfChunks.length);
    } else if (this.#left === 'chunks') {
      this.#end = (this.#end + chunk.toString('latin1')).slice(-endOfChunks.length);
    } else this.#left -= chunk.length;
    return this.#left === 'chunks' ? this.#end === endOfChunks : this.#left <= 0;
  }
}

/** A call as its caller signs it now, as it stands on the wire. */
export function signedBytes(caller: Caller, call: Call): Buffer {
  const signed = signedRequest({ call, token: caller.appSecret, timestamp: String(caller.now()) });
  const { method, target, headers, rawBody = Buffer.alloc(0) } = signed;
  const lines = [...headers, ['host', '127.0.0.1'], ['content-length', String(rawBody.length)]].map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`), rawBody]);
}
