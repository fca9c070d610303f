import { subscribe } from 'node:diagnostics_channel';

/** The connection that a request went out on, as it was then. */
export interface Carrier {
  /** Its local port. */
  readonly port: number;
  /** The address at its other end. */
  readonly peer?: string;
  /** Address and port at its other end. */
  readonly server: string;
  readonly socket: object;
  /** Since the answer before, in milliseconds; absent where it is the first that goes out on it. */
  readonly idleMs?: number;
  /** What had come over it. */
  readonly bytesRead: number;
}

/** Of requests of undici, the connections that they went out on. */
const carriers = new WeakMap<object, Carrier>();
/** Of connections over which nothing is under way, since when that is so. */
const idleSince = new WeakMap<object, number>();
/** Of servers, how long at most a connection was idle over which an answer came all the same, in milliseconds. */
const longestIdle = new Map<string, number>();
const listeners: ((socket: object) => void)[] = [];
let lastMade: object | undefined;

subscribe('undici:request:create', (message) => {
  lastMade = objectIn(message, 'request');
});
subscribe('undici:client:sendHeaders', (message) => {
  const [request, socket] = [objectIn(message, 'request'), objectIn(message, 'socket')];
  const port = socket && numberIn(socket, 'localPort');
  if (!request || !socket || port === undefined) return;
  const peer: unknown = Reflect.get(socket, 'remoteAddress');
  const since = idleSince.get(socket);
  idleSince.delete(socket);
  carriers.set(request, {
    port,
    server: `${String(peer)} ${String(numberIn(socket, 'remotePort'))}`,
    socket,
    bytesRead: numberIn(socket, 'bytesRead') ?? 0,
    ...(typeof peer === 'string' ? { peer } : {}),
    ...(since === undefined ? {} : { idleMs: performance.now() - since }),
  });
});
subscribe('undici:request:trailers', (message) => {
  const request = objectIn(message, 'request');
  const carrier = request && carriers.get(request);
  if (!carrier) return;
  const { socket, server, idleMs = 0 } = carrier;
  idleSince.set(socket, performance.now());
  longestIdle.set(server, Math.max(longestIdle.get(server) ?? 0, idleMs));
  for (const listener of listeners) listener(socket);
});

/** Has a listener told of each connection over which a whole answer has come. */
export function onAnswer(listener: (socket: object) => void): void {
  listeners.push(listener);
}

/** Whether a connection has answered, and nothing is under way over it; a new one is about to be used. */
export function isIdle(socket: object): boolean {
  return idleSince.has(socket);
}

/** Asks undici for something; with what comes of it, the connection that it went out on, once that is known. */
export function withCarrier<T>(ask: () => T): { readonly asked: T; readonly carrier: () => Carrier | undefined } {
  lastMade = undefined;
  const asked = ask();
  // Made before `ask` gives back: nobody else's can come between.
  const made = lastMade;
  return { asked, carrier: () => (made ? carriers.get(made) : undefined) };
}

/** No server ends what was idle for less, in milliseconds: who asks in haste meets something else. */
const leastIdleMs = 100;

/** How much of the longest idle time that was answered counts as as long: ways and clocks are uneven. */
const nearly = 0.9;

/**
 * Whether a connection broke since the server ends what is idle for so long, which any server may, while the request was on its way:
 * it had answered before, nothing came back, and none that was idle for longer is known to have been answered. RFC 9112, section 9.5.
 */
export function wasEndedIdle(carrier: Carrier | undefined, error: unknown): boolean {
  if (carrier?.idleMs === undefined || !isEnd(error)) return false;
  const { socket, server, idleMs, bytesRead } = carrier;
  const isLong = idleMs >= Math.max(leastIdleMs, nearly * (longestIdle.get(server) ?? 0));
  return isLong && numberIn(socket, 'bytesRead') === bytesRead;
}

/** Whether the other side has ended a connection, whether it could say so or not. */
function isEnd(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

/** What stands under a name in what a diagnostics channel tells. */
function objectIn(message: unknown, name: string): object | undefined {
  const value: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}

function numberIn(socket: object, name: string): number | undefined {
  const value: unknown = Reflect.get(socket, name);
  return typeof value === 'number' ? value : undefined;
}
