import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  giveAnswer,
  giveTooLarge,
  prepareAnswer,
  tooLargeAnswer,
  type Answer,
  type Script,
} from './receiver-answer.ts';
import type { Arrival } from './receiver-arrival.ts';
import { handoutOf } from './receiver-handout.ts';

/** How the exchange of a delivery ended, and when (epoch milliseconds). */
export interface Ending {
  readonly by: 'answer' | 'hang-up' | 'sender' | 'closing';
  readonly atMs: number;
}

/** A request that arrived whole at an address, and how it was answered. */
export interface Delivery extends Arrival {
  /** What was decided; whether the sender waited for it is told by `ending`. */
  readonly answer: Answer;
  /** Absent while the exchange is still open. */
  readonly ending?: Ending;
}

/** An unguessable address of the receiver: what is sent there concerns nobody else. */
export interface Address {
  /** What is registered at the target. Matches with a query, and with further path segments, behind it. */
  readonly url: string;
  /** Answers by this script from now on; deliveries that are under way keep their answer. */
  answerBy(script: Script): void;
  /** Everything kept so far, as it stands now. Throws what the script threw. */
  deliveries(): Delivery[];
  /**
   * The next `count` deliveries that no earlier call has given, once their answers are decided; fewer when
   * `timeoutMs` pass, or the receiver closes, before there are so many. Rejects with what the script threw.
   */
  next(count: number, timeoutMs: number): Promise<Delivery[]>;
  /** How many deliveries were answered but not kept, because the address was full. */
  unkept(): number;
}

/** How much an address keeps. */
export interface Capacity {
  readonly keptDeliveries: number;
  /** Sum of their bodies. */
  readonly keptBytes: number;
}

/** The receiver's side of an address. */
export interface Mailbox {
  readonly address: Address;
  /** Answers by the script and keeps the delivery. */
  receive(arrival: Arrival, response: ServerResponse<IncomingMessage>): Promise<void>;
  /** Lets go of everybody who waits. */
  close(): void;
}

const scriptFailed: Answer = { status: 500 };

/** A mailbox without deliveries. */
export function openMailbox(url: string, firstScript: Script, capacity: Capacity): Mailbox {
  const kept: Delivery[] = [];
  const handout = handoutOf(kept);
  let script = firstScript;
  let failure: Error | undefined;
  let [arrived, unkept, keptBytes, isClosing] = [0, 0, 0, false];

  const decide = async (arrival: Arrival, response: ServerResponse<IncomingMessage>): Promise<Answer> => {
    try {
      const wanted = await script(arrival, arrived++);
      const answer = arrival.isTooLarge ? tooLargeAnswer : wanted;
      prepareAnswer(response, answer);
      return answer;
    } catch (error) {
      failure ??= error instanceof Error ? error : new Error(String(error));
      response.statusCode = scriptFailed.status;
      return scriptFailed;
    }
  };
  const keep = (delivery: Delivery): void => {
    const isFull =
      kept.length >= capacity.keptDeliveries || keptBytes + delivery.rawBody.length > capacity.keptBytes;
    if (isFull) {
      unkept += 1;
      return;
    }
    kept.push(delivery);
    keptBytes += delivery.rawBody.length;
  };
  const unlessFailed = <T>(value: T): T => {
    if (failure) throw failure;
    return value;
  };
  return { } as never;
}
