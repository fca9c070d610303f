import type { IncomingMessage } from 'node:http';
import type { HeldBytes } from './held-bytes.ts';

/** The longest body that is kept; of a longer one only the start is. */
export const largestBodyBytes = 16 * 1024 * 1024;

export interface ReceivedBody {
  readonly rawBody: Buffer;
  readonly isBodyTooLarge: boolean;
}

/** Thrown for a body that there was no room for. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/**
 * Reads a body to its end, keeping its first 16 MiB; `undefined` when it broke off. What it keeps counts as held until the
 * connection has done with the request. Rejects with Overloaded where others hold too much.
 */
export function readBody(incoming: IncomingMessage, held: HeldBytes): Promise<ReceivedBody | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      const room = largestBodyBytes - receivedBytes;
      receivedBytes += chunk.length;
      if (room <= 0) return;
      if (!held.take(Math.min(room, chunk.length))) {
        reject(new Overloaded());
        incoming.pause();
        return;
      }
      chunks.push(chunk.subarray(0, room));
    });
    incoming.on('end', () => {
      resolve({ rawBody: Buffer.concat(chunks), isBodyTooLarge: receivedBytes > largestBodyBytes });
    });
    incoming.on('close', () => {
      held.give(chunks.reduce((sum, { length }) => sum + length, 0));
      resolve(undefined);
    });
  });
}
