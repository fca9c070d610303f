import { BroadcastChannel } from 'node:worker_threads';
import { mentions, type Arrival } from '../../trace/exchange.ts';
import { type Answer, bytesOf } from './address.ts';

/** An arrival at one of the two addresses that a whole run shares. */
export interface SharedArrival extends Arrival {
  readonly channel: 'issuance' | 'verification';
}

/** The side of the thread that receives. */
export interface SharedHost {
  /** Tells all threads of an arrival; gives how to answer it: as a thread asked for, else with 200. */
  arrived(arrival: SharedArrival): Answer;
  close(): void;
}

/** The side of a thread that checks. */
export interface SharedFollower {
  /** Everything that has arrived since this side was opened. */
  readonly arrivals: () => readonly SharedArrival[];
  /** Has the next deliveries that mention that JSON fail, so many times: refused with 500, or as the answer says. */
  readonly refuse: (text: string, times: number, answer?: Answer) => Promise<void>;
  close(): void;
}

type Message =
  | { readonly kind: 'arrival'; readonly arrival: SharedArrival }
  | { readonly kind: 'refuse'; readonly text: string; readonly times: number; readonly answer: Answer }
  | { readonly kind: 'refusing'; readonly text: string };

/** Bytes of deliveries that a thread keeps, the latest ones: what it waits for is small and has just come. */
const mostKeptBytes = 32 * 1024 * 1024;

/** Opens the receiving side of a channel; its name is known to this process only. */
export function hostDeliveries(channelName: string): SharedHost {
  const channel = new BroadcastChannel(channelName);
  const refusals = new Map<string, { readonly times: number; readonly answer: Answer }>();
  const post = (message: Message): void => channel.postMessage(message);
  listen(channel, (message) => {
    if (message.kind !== 'refuse') return;
    refusals.set(message.text, message);
    post({ kind: 'refusing', text: message.text });
  });
  return {
    arrived(arrival) {
      post({ kind: 'arrival', arrival });
      const found = [...refusals].find(([text, { times }]) => times > 0 && mentions(arrival, text));
      if (!found) return { status: 200 };
      const [text, { times, answer }] = found;
      refusals.set(text, { times: times - 1, answer });
      return answer;
    },
    close: () => channel.close(),
  };
}

const followers = new Map<string, SharedFollower>();

/** The checking side of a channel that all checks of this thread share, so that nothing is missed between two of them. */
export function deliveriesOn(channelName: string): SharedFollower {
  const follower = followers.get(channelName) ?? followDeliveries(channelName);
  followers.set(channelName, follower);
  return follower;
}

/** Opens a checking side of a channel. */
export function followDeliveries(channelName: string): SharedFollower {
  const channel = new BroadcastChannel(channelName);
  const arrivals: SharedArrival[] = [];
  const waiting = new Map<string, () => void>();
  let [keptBytes, oldest] = [0, 0];
  const keep = (arrival: SharedArrival): void => {
    arrivals.push(arrival);
    keptBytes += bytesOf(arrival);
    // The places of those that are forgotten stay: who counts arrivals counts them, too.
    for (; keptBytes > mostKeptBytes && oldest < arrivals.length - 1; oldest++) {
      const { [oldest]: first } = arrivals;
      if (!first) continue;
      keptBytes -= bytesOf(first);
      arrivals[oldest] = { ...first, target: '', headers: [], rawBody: Buffer.alloc(0), isTooLarge: true };
    }
  };
  listen(channel, (message) => {
    if (message.kind === 'arrival') keep(revived(message.arrival));
    if (message.kind === 'refusing') waiting.get(message.text)?.();
  });
  return {
    arrivals: () => arrivals,
    refuse(text, times, answer = { status: 500 }) {
      return new Promise((resolve) => {
        waiting.set(text, resolve);
        channel.postMessage({ kind: 'refuse', text, times, answer } satisfies Message);
      });
    },
    close: () => channel.close(),
  };
}

/** The channel does not keep the process alive. */
function listen(channel: BroadcastChannel, take: (message: Message) => void): void {
  channel.addEventListener('message', (event: unknown) => {
    const message = isEvent(event) ? event.data : undefined;
    if (isMessage(message)) take(message);
  });
  channel.unref();
}

function isEvent(event: unknown): event is { readonly data: unknown } {
  return typeof event === 'object' && event !== null && 'data' in event;
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** A Buffer travels as plain bytes. */
function revived(arrival: SharedArrival): SharedArrival {
  const { rawBody, codedBody } = arrival;
  return { ...arrival, rawBody: Buffer.from(rawBody), ...(codedBody ? { codedBody: Buffer.from(codedBody) } : {}) };
}
