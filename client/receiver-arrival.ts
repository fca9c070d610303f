import type { IncomingMessage } from 'node:http';

/** A request as it arrived at an address of the receiver. */
export interface Arrival {
  readonly method: string;
  /** As it stands on the request line, query included. */
  readonly target: string;
  /** Names and values as received: order, letter case and repetitions are kept; each character is a byte. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received, without transfer coding; only its start when it was too large. */
  readonly rawBody: Buffer;
  readonly isTooLarge: boolean;
  /** Epoch milliseconds at which its headers were complete. */
  readonly arrivedAtMs: number;
}

/**
 * Reads a request to its end, or until its body is larger than `largestBodyBytes`: what follows is discarded as it
 * comes. `undefined` when it broke off.
 */
export async function readArrival(incoming: IncomingMessage, largestBodyBytes: number): Promise<Arrival | undefined> {
  const arrivedAtMs = Date.now();
  const body = await readBody(incoming, largestBodyBytes);
  if (!body) return undefined;
  const { method = '', url: target = '', rawHeaders } = incoming;
  return { method, target, headers: headerPairs(rawHeaders), ...body, arrivedAtMs };
}

function readBody(
  incoming: IncomingMessage,
  largestBytes: number,
): Promise<Pick<Arrival, 'rawBody' | 'isTooLarge'> | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let keptBytes = 0;
    const onData = (chunk: Buffer): void => {
      const room = largestBytes - keptBytes;
      chunks.push(chunk.subarray(0, room));
      keptBytes += Math.min(chunk.length, room);
      if (chunk.length > room) {
        incoming.off('data', onData).resume();
        resolve({ rawBody: Buffer.concat(chunks), isTooLarge: true });
      }
    };
    incoming.on('data', onData);
    incoming.once('end', () => resolve({ rawBody: Buffer.concat(chunks), isTooLarge: false }));
    incoming.once('error', () => resolve(undefined));
  });
}

function headerPairs(flat: readonly string[]): [string, string][] {
  return flat.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, flat[index + 1] ?? '']] : []));
}
