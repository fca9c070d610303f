import fc from 'fast-check';
import type { Call } from '../contract/request.ts';

/** The same value, shown in counterexamples by that name. */
export function named<T extends object>(name: string, value: T): T {
  return Object.assign(value, { [fc.toStringMethod]: () => name });
}

/** The same call, shown in counterexamples with its body as text. */
export function shown(call: Call): Call {
  return Object.assign(call, { [fc.toStringMethod]: textOfThis });
}

/** Reads `this`, so that a copy of a call with something changed shows the change. */
function textOfThis(this: Call): string {
  const { method, path, query, contentType, rawBody } = this;
  const target = query === undefined ? path : `${path}?${query}`;
  const body =
    rawBody === undefined ? [] : [contentType ?? 'no content type', JSON.stringify(rawBody.toString('utf8'))];
  return [`${method} ${target}`, ...body].join(' ');
}
