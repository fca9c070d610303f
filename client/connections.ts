import { subscribe } from 'node:diagnostics_channel';

/** The connection that a request went out on. */
export interface Connection {
  /** Its local port. */
  readonly port: number;
  /** The address at its other end. */
  readonly peer?: string;
}

/** Of requests of undici, the connections that they went out on. */
const connections = new WeakMap<object, Connection>();
let lastMade: object | undefined;

subscribe('undici:request:create', (message) => {
  lastMade = objectIn(message, 'request');
});
subscribe('undici:client:sendHeaders', (message) => {
  const request = objectIn(message, 'request');
  const socket = objectIn(message, 'socket') ?? {};
  const port: unknown = Reflect.get(socket, 'localPort');
  const peer: unknown = Reflect.get(socket, 'remoteAddress');
  if (request && typeof port === 'number')
    connections.set(request, { port, ...(typeof peer === 'string' ? { peer } : {}) });
});

/** Asks undici for something; with what comes of it, the connection that it went out on, once that is known. */
export function withConnection<T>(ask: () => T): {
  readonly asked: T;
  readonly connection: () => Connection | undefined;
} {
  lastMade = undefined;
  const asked = ask();
  // Made before `ask` gives back: nobody else's can come between.
  const made = lastMade;
  return { asked, connection: () => (made ? connections.get(made) : undefined) };
}

function objectIn(message: unknown, name: string): object | undefined {
  const value: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}
