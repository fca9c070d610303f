import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { afterAll, beforeAll } from 'vitest';

/** A request that came to an address of a test's receiver. */
export interface Arrival {
  readonly method: string;
  /** As it stands on the request line. */
  readonly target: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
  readonly bodyText: string;
  /** By the `X-Service-…` headers. */
  readonly eventId: string;
  readonly deliveryId: string;
  readonly timestamp: number;
}

/** How an arrival is answered: a status, a connection that is cut, or by hand. `index` counts an address's arrivals from 0. */
export type Script = (
  arrival: Arrival,
  index: number,
) => number | 'reset' | ((response: ServerResponse) => void) | Promise<number>;

/** An address of the receiver. */
export interface Address {
  readonly url: string;
  readonly arrivals: Arrival[];
  /** How the next ones are answered. */
  script: Script;
  /** Waits until so many have arrived. */
  readonly arrived: (count: number) => Promise<void>;
}

/** Receives the deliveries of the tests of one file. */
interface Receiver {
  readonly origin: string;
  /** A new address; acknowledges everything without a script. */
  address(script?: Script): Address;
}

interface Mailbox extends Address {
  readonly waiting: Set<() => void>;
}

/** Starts a receiver before the tests of the file and stops it after them. */
export function runningReceiver(): Receiver {
  const opened = openReceiver();
  let origin = '';
  beforeAll(async () => {
    origin = await opened.listen();
  });
  afterAll(() => opened.close());
  return {
    get origin() {
      return origin;
    },
    address: (script) => opened.address(script),
  };
}

/** A receiver that the caller starts and stops. */
function openReceiver(): Receiver & { listen(port?: number): Promise<string>; close(): void } {
  const mailboxes = new Map<string, Mailbox>();
  let origin = '';
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const target = incoming.url ?? '';
      const mailbox = mailboxes.get(/^\/\d+/.exec(target)?.[0] ?? '');
      if (mailbox) void receive(mailbox, arrivalOf(incoming.method ?? '', target, incoming.headers, chunks), response);
      else response.writeHead(404).end();
    });
  });
  return {
    get origin() {
      return origin;
    },
    address(script = () => 200) {
      const path = `/${mailboxes.size + 1}`;
      const mailbox: Mailbox = {
        url: `${origin}${path}`,
        arrivals: [],
        script,
        waiting: new Set(),
        arrived: (count) => arrived(mailbox, count),
      };
      mailboxes.set(path, mailbox);
      return mailbox;
    },
    async listen(port = 0) {
      await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
      const address = server.address();
      origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
      return origin;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function arrivalOf(method: string, target: string, headers: IncomingHttpHeaders, chunks: readonly Buffer[]): Arrival {
  const rawBody = Buffer.concat(chunks);
  const header = (name: string): string => String(headers[name] ?? '');
  return {
    method,
    target,
    headers,
    rawBody,
    bodyText: rawBody.toString('utf8'),
    eventId: header('x-service-event-id'),
    deliveryId: header('x-service-delivery-id'),
    timestamp: Number(header('x-service-timestamp')),
  };
}

async function receive(mailbox: Mailbox, arrival: Arrival, response: ServerResponse): Promise<void> {
  mailbox.arrivals.push(arrival);
  for (const check of mailbox.waiting) check();
  const answer = await mailbox.script(arrival, mailbox.arrivals.length - 1);
  if (answer === 'reset') response.socket?.resetAndDestroy();
  else if (typeof answer === 'function') answer(response);
  else response.writeHead(answer).end();
}

function arrived(mailbox: Mailbox, count: number): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (mailbox.arrivals.length < count) return;
      mailbox.waiting.delete(check);
      resolve();
    };
    mailbox.waiting.add(check);
    check();
  });
}
