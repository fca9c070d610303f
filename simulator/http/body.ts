import type { IncomingMessage } from 'node:http';

/** The longest body that is kept; of a longer one only the start is. */
export const largestBodyBytes = 16 * 1024 * 1024;

export interface ReceivedBody {
  readonly rawBody: Buffer;
  readonly isBodyTooLarge: boolean;
}

/** Reads a body to its end, keeping its first 16 MiB; `undefined` when it broke off. */
export function readBody(incoming: IncomingMessage): Promise<ReceivedBody | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let receivedBytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      const room = largestBodyBytes - receivedBytes;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      receivedBytes += chunk.length;
    });
    incoming.on('end', () => {
      resolve({ rawBody: Buffer.concat(chunks), isBodyTooLarge: receivedBytes > largestBodyBytes });
    });
    incoming.on('close', () => resolve(undefined));
  });
}
