import type { Arrival } from '../../trace/exchange.ts';
import type { ServerResponse } from 'node:http';

/** A response as a script orders it. */
export interface OrderedResponse {
  /** 200 to 599. */
  readonly status: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Buffer;
}

/** What a delivery gets: a response, or a connection that is closed at once. */
export type Answer = OrderedResponse | 'hang-up';

/** Answers the deliveries of one address; `index` counts them from 0, in the order in which they arrived whole. */
export type Script = (arrival: Arrival, index: number) => Answer | Promise<Answer>;

/** The response of a request that this process received. */
export type Response = ServerResponse;

/** Acknowledges everything. Section 6.3. */
export const acknowledge: Script = () => ({ status: 200 });

/** What a body beyond the limit gets, whatever the script says. */
export const tooLargeAnswer = { status: 413, headers: [['connection', 'close']] } as const satisfies OrderedResponse;

/** The answer that an arrival gets where its script wants `wanted`, its status and headers laid out. Throws for what is no HTTP. */
function prepareAnswer(response: Response, arrival: Arrival, wanted: Answer): Answer {
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
function giveAnswer(response: Response, answer: Answer): void {
  if (answer === 'hang-up') response.req.socket.destroy();
  else if (answer === tooLargeAnswer) refuseRest(response);
  else response.end(answer.body ?? '');
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

/** A request that arrived whole at an address, and how it was answered. */
export interface Delivery extends Arrival {
  /** What was decided, whether the sender waited for it or not. */
  readonly answer: Answer;
  /** Absent while the exchange is still open. */
  readonly hasEnded?: true;
}

/** An unguessable address of the receiver: what is sent there concerns nobody else. */
export interface Address {
  /** What is registered at a target; it also stands for itself with a query or further path segments behind it. */
  readonly url: string;
  /** Answers by this script from now on; what has been decided before stays. */
  answerBy(script: Script): void;
  /** Everything kept so far, as it stands now. Throws what the script threw. */
  deliveries(): Delivery[];
}

/** How much an address keeps; the first delivery that goes beyond it, and all after it, are answered and not kept. */
export interface Capacity {
  readonly keptDeliveries: number;
  /** Sum of their bodies and headers. */
  readonly keptBytes: number;
}

/** The receiver's side of an address. */
export interface Mailbox {
  readonly address: Address;
  /** Answers by the script and keeps the delivery; resolves when the exchange has ended. */
  receive(arrival: Arrival, response: Response): Promise<void>;
}

interface Entry extends Arrival {
  readonly answer: Answer;
  hasEnded?: true;
}

/** An empty mailbox. */
export function openMailbox(url: string, firstScript: Script, capacity: Capacity): Mailbox {
  const kept = keptWithin(capacity);
  let script = firstScript;
  let scriptFailure: Error | undefined;
  let arrivals = 0;
  const decide = async (arrival: Arrival, response: Response): Promise<Answer> => {
    try {
      return prepareAnswer(response, arrival, await script(arrival, arrivals++));
    } catch (error) {
      scriptFailure ??= error instanceof Error ? error : new Error(String(error));
      return 'hang-up';
    }
  };
  return {
    address: {
      url,
      answerBy(next) {
        script = next;
      },
      deliveries() {
        if (scriptFailure) throw scriptFailure;
        return kept.entries.map((entry) => ({ ...entry }));
      },
    },
    async receive(arrival, response) {
      const closed = new Promise<void>((resolve) => {
        response.once('close', () => resolve());
      });
      const entry: Entry = { ...arrival, answer: await decide(arrival, response) };
      kept.add(entry);
      giveAnswer(response, entry.answer);
      await closed;
      entry.hasEnded = true;
    },
  };
}

/** A growing list that ends when its capacity is reached. */
function keptWithin({ keptDeliveries, keptBytes }: Capacity): {
  entries: readonly Entry[];
  add: (entry: Entry) => void;
} {
  const entries: Entry[] = [];
  let [bytes, isFull] = [0, false];
  const add = (entry: Entry): void => {
    bytes += bytesOf(entry);
    isFull ||= entries.length >= keptDeliveries || bytes > keptBytes;
    if (!isFull) entries.push(entry);
  };
  return { entries, add };
}

/** What a request takes in memory. */
export function bytesOf({ headers, rawBody }: Arrival): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, rawBody.length);
}
