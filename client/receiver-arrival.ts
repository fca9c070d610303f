import type { IncomingMessage } from 'node:http';

/** A request as it arrived at an address of the receiver. */
export interface Arrival {
  readonly method: string;
  /** As it stands on the request line, query included. */
  readonly target: string;
  /** Names and values as received: order, letter case and repetitions are kept, each byte is one character. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received, without transfer coding; only its start when it was too large. */
  readonly rawBody: Buffer;
  readonly isTooLarge: boolean;
  /** Epoch milliseconds at which its headers were complete. */
  readonly arrivedAtMs: number;
}

/**
 * Reads a request to its end, or until its body is larger than `largestBodyBytes`; from there on the sender's bytes are
 * discarded. `undefined` when the request broke off.
 */
export async function readArrival(incoming: IncomingMessage, largestBodyBytes: number): Promise<Arrival | undefined> {
  const arrivedAtMs = Date.now();
  const body = await readBody(incoming, largestBodyBytes);
  if (!body) return undefined;
  const { method = '', url: target = '', rawHeaders } = incoming;
  return { method, target, headers: headerPairs(rawHeaders), ...body, arrivedAtMs };
}

type Body = Pick<Arrival, 'rawBody' | 'isTooLarge'>;

function readBody(incoming: IncomingMessage, largestBytes: number): Promise<Body | undefined> {
  return new Promise((resolve) => {
    let chunks: Buffer[] = [];
    let room = largestBytes;
    const finish = (isTooLarge: boolean): void => {
      resolve({ rawBody: Buffer.concat(chunks), isTooLarge });
      chunks = [];
    };
    incoming.on('data', (chunk: Buffer) => {
      if (room >= 0) chunks.push(chunk.subarray(0, room));
      const hadRoom = room >= 0;
      room -= chunk.length;
      if (hadRoom && room < 0) finish(true);
    });
    incoming.once('end', () => finish(false));
    incoming.once('error', () => resolve(undefined));
    incoming.once('close', () => resolve(undefined));
  });
}

function headerPairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}
