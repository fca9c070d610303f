import { giveAnswer, prepareAnswer, type Answer, type Response, type Script } from './receiver-answer.ts';
import type { Arrival } from './receiver-arrival.ts';
import { handoutOf } from './receiver-handout.ts';
import { epochMs } from './epoch.ts';

/** A request that arrived whole at an address, and how it was answered. */
export interface Delivery extends Arrival {
  /** What was decided; whether the sender waited for it is told by `ending`. */
  readonly answer: Answer;
  /** Absent while the exchange is still open. */
  readonly ending?: EndOfExchange;
}

/** What ended an exchange, and when (epoch milliseconds). */
export interface EndOfExchange {
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

function bytesOf({ headers, rawBody }: Entry): number {
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
