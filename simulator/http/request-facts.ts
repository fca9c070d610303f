import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as it was received: nothing decoded, normalised or parsed. */
export interface RequestFacts {
  readonly method: string;
  /** As it stands on the request line, query included; ASCII, since Node refuses anything else with 400. */
  readonly target: string;
  /** The target without scheme, host and query. */
  readonly path: string;
  /** What follows the first `?`; `undefined` where there is none. */
  readonly query: string | undefined;
  /** Names in lower case; values of a repeated name joined with `, `. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, in the letter case and the order of the sender. */
  readonly rawHeaders: readonly string[];
  /** The Content-Type header; empty where there is none. */
  readonly contentType: string;
  readonly rawBody: Buffer;
  /** Port of its sender: the same for all that comes over one connection. */
  readonly peerPort: number;
  /** The body was longer than the simulator keeps: `rawBody` is only its start. */
  readonly isBodyTooLarge: boolean;
}

/** Receives a request to its end; `undefined` when its sender went away first. */
export async function receiveRequest(incoming: IncomingMessage, held: HeldBytes): Promise<RequestFacts | undefined> {
  const body = await readBody(incoming, held);
  if (!body) return undefined;
  const target = incoming.url ?? '';
  return {
    method: incoming.method ?? '',
    target,
    ...splitTarget(target),
    headers: incoming.headers,
    rawHeaders: incoming.rawHeaders,
    contentType: incoming.headers['content-type'] ?? '',
    peerPort: incoming.socket.remotePort ?? 0,
    ...body,
  };
}

/** Path and query of a request target in origin form (`/a?b`) or absolute form (`http://host/a?b`). */
export function splitTarget(target: string): { path: string; query: string | undefined } {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  const mark = local.indexOf('?');
  if (mark === -1) return { path: local, query: undefined };
  return { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** Value of a header by its lower-case name; `undefined` where there is none. */
export function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The longest body that is kept; of a longer one only the start is. */
export const largestBodyBytes = 16 * 1024 * 1024;

interface ReceivedBody {
  readonly rawBody: Buffer;
  readonly isBodyTooLarge: boolean;
}

/** Thrown for a body that there was no room for. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * Reads a body to its end, keeping its first 16 MiB; `undefined` when it broke off. What it keeps counts as held until the
 * connection has done with the request. Rejects with Overloaded where others hold too much.
 */
function readBody(incoming: IncomingMessage, held: HeldBytes): Promise<ReceivedBody | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      const room = largestBodyBytes - receivedBytes;
      receivedBytes += chunk.length;
      if (room <= 0) return;
      if (!held.take(Math.min(room, chunk.length))) {
        reject(new Overloaded());
        incoming.pause();
        return;
      }
      chunks.push(chunk.subarray(0, room));
    });
    incoming.on('end', () => {
      resolve({ rawBody: Buffer.concat(chunks), isBodyTooLarge: receivedBytes > largestBodyBytes });
    });
    incoming.on('close', () => {
      held.give(chunks.reduce((sum, { length }) => sum + length, 0));
      resolve(undefined);
    });
  });
}

/** Bytes of bodies that are in memory at a time, all requests together. */
export class HeldBytes {
  readonly #most: number;
  #held = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Takes room for so many; `false`, and none taken, where there is none. */
  take(bytes: number): boolean {
    if (this.#held + bytes > this.#most) return false;
    this.#held += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#held -= bytes;
  }
}
