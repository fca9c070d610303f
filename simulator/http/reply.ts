import type { ServerResponse } from 'node:http';

/** What a request is answered with. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON; without it the reply has no content at all. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a reply and ends the response. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  const content = reply.body === undefined ? '' : JSON.stringify(reply.body);
  const type = content === '' ? {} : { 'content-type': 'application/json; charset=utf-8' };
  response.writeHead(reply.status, { ...type, 'content-length': Buffer.byteLength(content), ...reply.headers });
  response.end(content);
}
