import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { readBody } from './body.ts';
import type { HeldBytes } from './held-bytes.ts';

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
