import type { IncomingMessage } from 'node:http';
import { headerOf } from './body-text.ts';
import { decodedBody } from './content-coding.ts';
import { headerPairs } from './header-pairs.ts';
import { epochMs } from './epoch.ts';

/** A request as it arrived at an address of the receiver. */
export interface Arrival {
  readonly method: string;
  /** As it stands on the request line, query included. */
  readonly target: string;
  /** Names and values as received: order, letter case and repetitions are kept; each character is a byte. */
  readonly headers: readonly (readonly [string, string])[];
  /** The body as received, without transfer coding and without content codings, as far as these could be undone; only its start when it was too large. */
  readonly rawBody: Buffer;
  /** The same with its content codings, which is what is signed; absent where it had none that was undone. */
  readonly codedBody?: Buffer;
  readonly isTooLarge: boolean;
  /** Bytes that it had, where `rawBody` is only its start. */
  readonly wholeBytes?: number;
  /** Epoch milliseconds at which its headers were complete. */
  readonly arrivedAtMs: number;
}

/**
 * Reads a request to its end, or until its body is larger than `largestBodyBytes`: what follows is discarded as it
 * comes. `undefined` when it broke off.
 */
export async function readArrival(
  incoming: IncomingMessage,
  largestBodyBytes: number,
  room: Room = boundless,
): Promise<Arrival | undefined> {
  const arrivedAtMs = epochMs();
  const body = await readBody(incoming, largestBodyBytes, room);
  if (!body) return undefined;
  const { method = '', url: target = '', rawHeaders } = incoming;
  return withoutCodings({ method, target, headers: headerPairs(rawHeaders), ...body, arrivedAtMs }, largestBodyBytes);
}

/** A request as it came, with the content codings of its body undone to at most so many bytes. */
export async function withoutCodings<A extends Arrival>(arrival: A, mostBytes: number): Promise<A> {
  const { headers, rawBody, isTooLarge } = arrival;
  const encoding = headerOf({ headers }, 'content-encoding');
  if (encoding === undefined || isTooLarge) return arrival;
  const decoded = await decodedBody(rawBody, encoding, mostBytes);
  if (decoded.rawBody === rawBody) return arrival;
  return { ...arrival, rawBody: decoded.rawBody, codedBody: rawBody, isTooLarge: decoded.isCut };
}

function readBody(
  incoming: IncomingMessage,
  largestBytes: number,
  room: Room,
): Promise<Pick<Arrival, 'rawBody' | 'isTooLarge'> | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [keptBytes, lent] = [0, 0];
    const end = (body: Pick<Arrival, 'rawBody' | 'isTooLarge'> | undefined): void => {
      room.leftBytes += lent;
      lent = 0;
      resolve(body);
    };
    /** How many more bytes are kept: those that every delivery may have, and beyond them what nobody else has. */
    const spare = (): number => Math.min(largestBytes, Math.max(smallBytes, keptBytes + room.leftBytes)) - keptBytes;
    const onData = (chunk: Buffer): void => {
      const taken = Math.min(chunk.length, spare());
      // A copy: a part of a buffer keeps the whole of it, 64 kB for a byte that drips.
      chunks.push(Buffer.from(chunk.subarray(0, taken)));
      keptBytes += taken;
      const borrowed = Math.max(0, Math.min(taken, keptBytes - smallBytes));
      room.leftBytes -= borrowed;
      lent += borrowed;
      if (taken < chunk.length) {
        incoming.off('data', onData).resume();
        end({ rawBody: Buffer.concat(chunks), isTooLarge: true });
      }
    };
    incoming.on('data', onData);
    incoming.once('end', () => end({ rawBody: Buffer.concat(chunks), isTooLarge: false }));
    incoming.once('error', () => end(undefined));
  });
}

/** Bytes that the bodies of all deliveries which are under way may take together, beyond what each of them may have. */
export interface Room {
  leftBytes: number;
}

const boundless: Room = { leftBytes: Infinity };

/** What each delivery may have: many times what a right one is. */
const smallBytes = 64 * 1024;
