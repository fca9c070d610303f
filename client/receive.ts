import type { IncomingMessage, ServerResponse } from 'node:http';
import { deliveryFault, deliveryHeader, hasToken, type ReceivedDelivery } from './verify-delivery.ts';

/** What a receiver goes by. */
export interface Receiving {
  readonly appSecret: string;
  /** The brand in the five header names, such as `X-Service`. */
  readonly headerPrefix: string;
  /** The token that was registered, at an address for issuance callbacks. */
  readonly token?: string;
  /** Takes an event, once for each event id; it is acknowledged when that is done, and comes again where it fails. */
  readonly take: (event: unknown) => Promise<void>;
}

const largestBytes = 1024 * 1024;

/** A listener of `node:http` that verifies each delivery before anything reads it, and acknowledges it. Sections 6.2 and 6.3. */
export function receiving(by: Receiving): (incoming: IncomingMessage, response: ServerResponse) => Promise<void> {
  const taken = new Set<string>();
  return async (incoming, response) => {
    const rawBody = await bodyOf(incoming);
    const status = rawBody ? await statusFor({ headers: pairsOf(incoming), rawBody }, by, taken) : 413;
    response.writeHead(status).end();
  };
}

async function statusFor(delivery: ReceivedDelivery, by: Receiving, taken: Set<string>): Promise<number> {
  const fault = deliveryFault(delivery, { ...by, nowSeconds: Math.floor(Date.now() / 1000) });
  if (fault !== undefined || (by.token !== undefined && !hasToken(delivery, by.token))) return 401;
  const eventId = deliveryHeader(delivery, by.headerPrefix, 'Event-Id') ?? '';
  if (taken.has(eventId)) return 200;
  try {
    await by.take(JSON.parse(delivery.rawBody.toString('utf8')));
    taken.add(eventId);
    return 200;
  } catch {
    return 500;
  }
}

/** The bytes of a request as they came: no framework has read them. `undefined` where there are too many. */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    length += chunk.length;
    if (length > largestBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function pairsOf({ rawHeaders }: IncomingMessage): [string, string][] {
  return rawHeaders.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : []));
}
