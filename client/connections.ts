import { subscribe } from 'node:diagnostics_channel';

/** Local ports of the connections that requests of undici went out on. */
const ports = new WeakMap<object, number>();
let lastMade: object | undefined;

subscribe('undici:request:create', (message) => {
  lastMade = objectIn(message, 'request');
});
subscribe('undici:client:sendHeaders', (message) => {
  const request = objectIn(message, 'request');
  const port: unknown = Reflect.get(objectIn(message, 'socket') ?? {}, 'localPort');
  if (request && typeof port === 'number') ports.set(request, port);
});

/** Asks undici for something; with what comes of it, the local port of the connection that it went out on, once that is known. */
export function withConnection<T>(ask: () => T): { readonly asked: T; readonly connection: () => number | undefined } {
  lastMade = undefined;
  const asked = ask();
  // Made before `ask` gives back: nobody else's can come between.
  const made = lastMade;
  return { asked, connection: () => (made ? ports.get(made) : undefined) };
}

function objectIn(message: unknown, name: string): object | undefined {
  const value: unknown = typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  return typeof value === 'object' && value !== null ? value : undefined;
}
