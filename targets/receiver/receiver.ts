import { epochMs, headerOf, type Arrival } from '../../trace/exchange.ts';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import type { Duplex } from 'node:stream';
import {
  openMailbox,
  type Address,
  type Capacity,
  type Mailbox,
  acknowledge,
  type Response,
  type Script,
} from './address.ts';
import { decodedBody, headerPairs } from '../traffic/reception.ts';

/** What a receiver bears. */
export interface ReceiverLimits extends Capacity {
  /** Largest body, after which the answer is 413. */
  readonly bodyBytes: number;
  /** Time that a sender has for its headers and body, from the start of its connection or request on. */
  readonly requestMs: number;
}

export const receiverLimits: ReceiverLimits = {
  bodyBytes: 4 * 1024 * 1024,
  requestMs: 10_000,
  keptDeliveries: 10_000,
  keptBytes: 32 * 1024 * 1024,
};

export interface ReceiverOptions {
  /** Where it listens; port 0 takes a free one. */
  readonly listen: { readonly host: string; readonly port: number };
  /** The address by which targets reach it; the listening one when absent. */
  readonly publicUrl?: string;
  /** The host by which targets reach whichever port it listens on; without effect beside `publicUrl`. */
  readonly publicHost?: string;
  /** In place of `receiverLimits`. */
  readonly limits?: Partial<ReceiverLimits>;
  /** Is told of each request that some sender may take for a delivery, and that was none. */
  readonly onStray?: (stray: Stray) => void;
}

/** What comes in place of a delivery: to a path of no address, in TLS, with a target that none may have, or other bytes that are no HTTP/1. */
export const strayKinds = ['other-path', 'tls', 'bad-target', 'no-http'] as const;

export type Stray = (typeof strayKinds)[number];

/** Receives webhook deliveries, each at the address that it was sent to. */
export interface Receiver {
  /** `http://host:port`, as a caller on this machine reaches it. */
  readonly origin: string;
  /**
   * A new address: a path that nobody can guess, or the one path segment `pathName`, under the public address. Answers
   * by `script`; acknowledges everything without one. Throws for a path that is taken or is not one segment.
   */
  address(script?: Script, pathName?: string): Address;
  /** Requests that were no delivery: to an unknown path (answered 404), broken off before they were whole, or no HTTP/1 (answered 400). */
  strays(): { readonly unknownPath: number; readonly brokenOff: number; readonly unreadable: number };
  /** Ends everything at once: connections, and answers that are still due. */
  close(): Promise<void>;
}

/** Long enough that a sender which keeps its connection for the next attempt finds it open, rather than closing just then. */
const idleConnectionMs = 5 * 60_000;

/** Bodies that are under way at once, beyond what each of them may have. */
const underWayBytes = 32 * 1024 * 1024;

/** Connections at once: more only cost memory. */
const mostConnections = 2_000;

/** How late a slow sender may be noticed. */
const timeCheckMs = 250;

const pathNameBytes = 24;

/** A path segment of 192 random bits. */
export function randomPathName(): string {
  return randomBytes(pathNameBytes).toString('base64url');
}

/** Opens a receiver. Rejects with the system's error when it can't listen there. */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  const limits = { ...receiverLimits, ...options.limits };
  const mailboxes = new Map<string, Mailbox>();
  const strays = { unknownPath: 0, brokenOff: 0, unreadable: 0 };
  const { onStray = () => {} } = options;
  const room = { leftBytes: underWayBytes };
  const handle = async (incoming: IncomingMessage, response: Response): Promise<void> => {
    const mailbox = mailboxOf(mailboxes, incoming.url ?? '');
    if (!mailbox) {
      strays.unknownPath += 1;
      if (incoming.method === 'POST') onStray('other-path');
      response.statusCode = 404;
      response.end();
      return;
    }
    const arrival = await readArrival(incoming, limits.bodyBytes, room);
    if (!arrival) strays.brokenOff += 1;
    else if (isProbe(arrival)) response.end();
    else await mailbox.receive(arrival, response);
  };
  const server = serverOf(limits, (incoming, response) => void handle(incoming, response));
  server.on('clientError', (error: Error, socket) => {
    const stray = strayOf(error);
    if (stray) {
      strays.unreadable += 1;
      onStray(stray);
    }
    refuse(error, socket);
  });
  server.listen(options.listen.port, options.listen.host);
  await once(server, 'listening');
  const origin = originOf(server, options.listen.host);
  const base = (options.publicUrl ?? originAt(origin, options.publicHost)).replace(/(?<!\/)\/+$/, '');
  return {
    origin,
    address(script = acknowledge, pathName = randomPathName()) {
      if (!/^[^/?#]+$/.test(pathName)) throw new Error('the path of an address is one path segment');
      if (mailboxes.has(pathName)) throw new Error('an address has that path already');
      const mailbox = openMailbox(`${base}/${pathName}`, script, limits);
      mailboxes.set(pathName, mailbox);
      return mailbox.address;
    },
    strays: () => ({ ...strays }),
    async close() {
      await closed(server);
    },
  };
}

/**
 * The mailbox that any part of the path or the query names: whatever stands in front of a public address may add or take others. What is
 * written in another letter case is called wrongly, and is to be seen.
 */
function mailboxOf(mailboxes: ReadonlyMap<string, Mailbox>, target: string): Mailbox | undefined {
  const parts = target.split(/[/?&=]/);
  const known = parts.find((part) => mailboxes.has(part));
  if (known !== undefined) return mailboxes.get(known);
  const lowered = new Set(parts.map((part) => part.toLowerCase()));
  return [...mailboxes].find(([pathName]) => lowered.has(pathName.toLowerCase()))?.[1];
}

function serverOf(
  { requestMs }: ReceiverLimits,
  onRequest: (incoming: IncomingMessage, response: Response) => void,
): Server {
  const server = createServer({
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(timeCheckMs, requestMs),
    keepAliveTimeout: idleConnectionMs,
    // How strictly a sender keeps to HTTP is none of the contract's matters: what can be read is a delivery.
    insecureHTTPParser: true,
    requireHostHeader: false,
  });
  server.maxConnections = mostConnections;
  server.on('connection', (socket) => socket.prependListener('data', spacesForTabs()));
  server.on('request', onRequest);
  // Without a listener Node refuses an unknown `Expect` header on its own: the delivery would not be seen.
  server.on('checkExpectation', onRequest);
  return server;
}

/** That a body comes in chunks, and the blanks behind that. */
const padded = /\r\ntransfer-encoding:[ \t]*chunked[ \t]+/gi;

/** More than that takes. */
const paddedLength = 64;

/** Puts spaces where blanks are that HTTP allows: tabs among them the parser of Node does not take. RFC 9110, section 5.5. */
function spacesForTabs(): (bytes: Buffer) => void {
  let before = '';
  return (bytes) => {
    const text = before + bytes.toString('latin1');
    for (const { 0: found, index } of text.matchAll(padded)) {
      const [from, to] = [index + found.trimEnd().length, index + found.length].map((at) =>
        Math.max(0, at - before.length),
      );
      bytes.fill(' ', from, to);
    }
    before = text.slice(-paddedLength);
  };
}

/** What a request was that the parser gave up; `undefined` where its sender was slow, or went away. */
function strayOf(error: Error): Stray | undefined {
  const code = codeOf(error);
  if (!code.startsWith('HPE_') || code === 'HPE_INVALID_EOF_STATE') return undefined;
  const [first] = 'rawPacket' in error && Buffer.isBuffer(error.rawPacket) ? error.rawPacket : [];
  if (first === tlsHandshake) return 'tls';
  return code === 'HPE_INVALID_URL' ? 'bad-target' : 'no-http';
}

/** The first byte of a connection in TLS. RFC 8446, section 5.1. */
const tlsHandshake = 0x16;

/** Answers as Node does where nobody listens: this listener is in its place. */
function refuse(error: Error, socket: Duplex): void {
  const status = refusals.get(codeOf(error)) ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
  socket.destroy(error);
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : '';
}

const refusals: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', '431 Request Header Fields Too Large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', '413 Payload Too Large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', '408 Request Timeout'],
]);

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** An address that stands for every interface can't be called: loopback takes its place. */
const callable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

function originOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const name = callable[host] ?? host;
  return `http://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}

/** The origin with another host, as targets elsewhere name it. */
function originAt(origin: string, host: string | undefined): string {
  return host === undefined ? origin : `http://${host}:${new URL(origin).port}`;
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

/**
 * Whether somebody only looks whether there is an address: who sends nothing and names no event delivers none, and the
 * contract does not say how a registered address is tried.
 */
function isProbe({ method, rawBody, headers }: Arrival): boolean {
  return (
    /^(?:GET|HEAD|OPTIONS)$/.test(method) &&
    rawBody.length === 0 &&
    !headers.some(([name]) => /-event(?:-id)?$/i.test(name))
  );
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
