import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Arrival } from './receiver-arrival.ts';

/** A response as a script orders it. */
export interface OrderedResponse {
  /** 200 to 599. */
  readonly status: number;
  /** How long the sender waits for it; 0 when absent. */
  readonly delayMs?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** What a delivery gets: a response, a connection that is closed at once, or nothing until the receiver closes. */
export type Answer = OrderedResponse | 'hang-up' | 'no-answer';

/** Answers the deliveries of one address; `index` counts them from 0, in the order in which they arrived whole. */
export type Script = (arrival: Arrival, index: number) => Answer | Promise<Answer>;

/** Acknowledges everything. Section 6.3. */
export const acknowledge: Script = () => ({ status: 200 });

/** What a body beyond the limit gets, whatever the script says. */
export const tooLargeAnswer = { status: 413, headers: [['connection', 'close']] } as const satisfies OrderedResponse;

type Response = ServerResponse<IncomingMessage>;

/** Puts status and headers on the response without sending any of it. Throws for what is no HTTP. */
export function prepareAnswer(response: Response, answer: Answer): void {
  if (typeof answer === 'string') return;
  const { status, headers = [] } = answer;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`a script answered with status ${status}: it takes 200 to 599`);
  }
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
}

/** Gives a prepared answer; nothing of it is left behind when the sender leaves first. */
export function giveAnswer(response: Response, answer: Answer): void {
  if (answer === 'no-answer') return;
  if (answer === 'hang-up') {
    response.req.socket.destroy();
    return;
  }
  const { delayMs = 0, body = '' } = answer;
  if (delayMs === 0) {
    response.end(body);
    return;
  }
  const timer = setTimeout(() => response.end(body), delayMs);
  response.once('close', () => clearTimeout(timer));
}

/**
 * Gives the answer to a body that is too large. Its head goes out at once; the connection is closed when the sender has
 * finished or its time is up, since a sender that is cut off while it still writes may never read the answer.
 */
export function giveTooLarge(response: Response): void {
  response.setHeader('content-length', 0);
  response.flushHeaders();
  const { req: incoming } = response;
  if (incoming.readableEnded) response.end();
  else incoming.once('end', () => response.end());
}
