import type { ServerResponse } from 'node:http';
import type { Arrival } from './receiver-arrival.ts';

/** A response as a script orders it. */
export interface OrderedResponse {
  /** 200 to 599. */
  readonly status: number;
  /** How long the sender waits for it, the receiver's own work aside; 0 when absent. */
  readonly delayMs?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** What a delivery gets: a response, a connection that is closed at once, or nothing until the receiver closes. */
export type Answer = OrderedResponse | 'hang-up' | 'no-answer';

/** Answers the deliveries of one address; `index` counts them from 0, in the order in which they arrived whole. */
export type Script = (arrival: Arrival, index: number) => Answer | Promise<Answer>;

/** The response of a request that this process received. */
export type Response = ServerResponse;

/** Acknowledges everything. Section 6.3. */
export const acknowledge: Script = () => ({ status: 200 });

/** What a body beyond the limit gets, whatever the script says. */
export const tooLargeAnswer = { status: 413, headers: [['connection', 'close']] } as const satisfies OrderedResponse;

/** The answer that an arrival gets where its script wants `wanted`, its status and headers laid out. Throws for what is no HTTP. */
export function prepareAnswer(response: Response, arrival: Arrival, wanted: Answer): Answer {
  const answer = arrival.isTooLarge ? tooLargeAnswer : wanted;
  if (typeof answer === 'string') return answer;
  const { status, headers = [] } = answer;
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new RangeError(`a script answered with status ${status}: it takes 200 to 599`);
  }
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  return answer;
}

/** Gives a prepared answer. */
export function giveAnswer(response: Response, answer: Answer): void {
  if (answer === 'no-answer') return;
  if (answer === 'hang-up') response.req.socket.destroy();
  else if (answer === tooLargeAnswer) refuseRest(response);
  else endAfter(response, answer);
}

function endAfter(response: Response, { delayMs = 0, body = '' }: OrderedResponse): void {
  if (delayMs === 0) {
    response.end(body);
    return;
  }
  const timer = setTimeout(() => response.end(body), delayMs);
  response.once('close', () => clearTimeout(timer));
}

/**
 * The head of the answer goes out at once, but the connection is closed only when the sender has finished or its time is
 * up: a sender that is cut off while it still writes may never read its answer.
 */
function refuseRest(response: Response): void {
  response.setHeader('content-length', 0);
  response.flushHeaders();
  if (response.req.readableEnded) response.end();
  else response.req.once('end', () => response.end());
}
