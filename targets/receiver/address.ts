import { type Arrival, epochMs } from '../../trace/exchange.ts';
import type { ServerResponse } from 'node:http';

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

/** A request that arrived whole at an address, and how it was answered. */
export interface Delivery extends Arrival {
  /** What was decided; whether the sender waited for it is told by `ending`. */
  readonly answer: Answer;
  /** Absent while the exchange is still open. */
  readonly ending?: EndOfExchange;
}

/** What ended an exchange, and when (epoch milliseconds). */
interface EndOfExchange {
  /** `sender`: it left, or took too long, before its answer was complete. `closing`: the receiver was closed. */
  readonly by: 'answer' | 'hang-up' | 'sender' | 'closing';
  readonly atMs: number;
}

/** An unguessable address of the receiver: what is sent there concerns nobody else. */
export interface Address {
  /** What is registered at a target; it also stands for itself with a query or further path segments behind it. */
  readonly url: string;
  /** Answers by this script from now on; what has been decided before stays. */
  answerBy(script: Script): void;
  /** Everything kept so far, as it stands now. Throws what the script threw. */
  deliveries(): Delivery[];
  /**
   * The next `count` deliveries that no earlier call has given, as soon as their answers are decided; fewer when
   * `timeoutMs` pass, or the receiver closes, before there are so many. Rejects with what the script threw.
   */
  next(count: number, timeoutMs: number): Promise<Delivery[]>;
  /** How many deliveries were answered and not kept, because the address was full. */
  unkept(): number;
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
  /** Lets go of everybody who waits. */
  close(): void;
}

interface Entry extends Arrival {
  readonly answer: Answer;
  ending?: EndOfExchange;
}

/** An empty mailbox. */
export function openMailbox(url: string, firstScript: Script, capacity: Capacity): Mailbox {
  const kept = keptWithin(capacity);
  const handout = handoutOf(kept.entries);
  let script = firstScript;
  let scriptFailure: Error | undefined;
  let [arrivals, isClosing] = [0, false];

  const snapshots = (entries: readonly Entry[]): Delivery[] => {
    if (scriptFailure) throw scriptFailure;
    return entries.map((entry) => ({ ...entry }));
  };
  const decide = async (arrival: Arrival, response: Response): Promise<Answer> => {
    try {
      return prepareAnswer(response, arrival, await script(arrival, arrivals++));
    } catch (error) {
      scriptFailure ??= error instanceof Error ? error : new Error(String(error));
      handout.end();
      return 'hang-up';
    }
  };
  return {
    address: {
      url,
      answerBy(next) {
        script = next;
      },
      deliveries: () => snapshots(kept.entries),
      next: async (count, timeoutMs) => snapshots(await handout.next(count, timeoutMs)),
      unkept: kept.surplus,
    },
    async receive(arrival, response) {
      const closed = closingTime(response);
      const entry: Entry = { ...arrival, answer: await decide(arrival, response) };
      kept.add(entry);
      handout.serve();
      giveAnswer(response, entry.answer);
      const atMs = await closed;
      entry.ending = { by: endedBy(entry.answer, response, isClosing), atMs };
    },
    close() {
      isClosing = true;
      handout.end();
    },
  };
}

/** A growing list that ends when its capacity is reached; what comes after is only counted. */
function keptWithin({ keptDeliveries, keptBytes }: Capacity): {
  entries: readonly Entry[];
  add: (entry: Entry) => void;
  surplus: () => number;
} {
  const entries: Entry[] = [];
  let [bytes, surplus] = [0, 0];
  const add = (entry: Entry): void => {
    bytes += bytesOf(entry);
    if (surplus > 0 || entries.length >= keptDeliveries || bytes > keptBytes) surplus += 1;
    else entries.push(entry);
  };
  return { entries, add, surplus: () => surplus };
}

/** What a request takes in memory. */
export function bytesOf({ headers, rawBody }: Arrival): number {
  return headers.reduce((sum, [name, value]) => sum + name.length + value.length, rawBody.length);
}

function closingTime(response: Response): Promise<number> {
  return new Promise((resolve) => {
    response.once('close', () => resolve(epochMs()));
  });
}

function endedBy(answer: Answer, response: Response, isClosing: boolean): EndOfExchange['by'] {
  if (answer === 'hang-up') return 'hang-up';
  if (response.writableFinished) return 'answer';
  return isClosing ? 'closing' : 'sender';
}

/** Hands out the items of a growing list in order, each of them once, to those who wait for them. */
interface Handout<Item> {
  /** The next `count` items; fewer when `timeoutMs` pass or the handout ends before there are so many. */
  next(count: number, timeoutMs: number): Promise<Item[]>;
  /** Serves those who wait, in the order in which they came, with what the list has grown to. */
  serve(): void;
  /** Serves everybody with what there is; nobody waits any more from now on. */
  end(): void;
}

interface Waiter<Item> {
  readonly count: number;
  readonly resolve: (items: Item[]) => void;
  readonly timer: NodeJS.Timeout;
}

/** A handout of `items`, which only grow. */
export function handoutOf<Item>(items: readonly Item[]): Handout<Item> {
  const waiters: Waiter<Item>[] = [];
  let [handedOut, hasEnded] = [0, false];
  const give = (waiter: Waiter<Item>, count: number): void => {
    clearTimeout(waiter.timer);
    waiters.splice(waiters.indexOf(waiter), 1);
    const given = items.slice(handedOut, handedOut + count);
    handedOut += given.length;
    waiter.resolve(given);
  };
  const serve = (): void => {
    for (;;) {
      const [first] = waiters;
      const isReady = first && (hasEnded || items.length - handedOut >= first.count);
      if (!isReady) return;
      give(first, first.count);
    }
  };
  return {
    next: (count, timeoutMs) =>
      new Promise((resolve) => {
        // What there is belongs to the first of those who wait.
        const onTimeout = (): void => give(waiter, waiter === waiters[0] ? count : 0);
        const waiter: Waiter<Item> = { count, resolve, timer: setTimeout(onTimeout, timeoutMs) };
        waiters.push(waiter);
        serve();
      }),
    serve,
    end() {
      hasEnded = true;
      serve();
    },
  };
}
