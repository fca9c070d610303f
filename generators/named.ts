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
  const { method, path, query, contentType, rawBody, transfer } = this;
  const target = query === undefined ? path : `${path}?${query}`;
  const body =
    rawBody === undefined ? [] : [contentType ?? 'no content type', JSON.stringify(rawBody.toString('utf8'))];
  return [`${method} ${target}`, ...body, ...(transfer === undefined ? [] : [transfer])].join(' ');
}

const mostMisses = 2000;

/** Nothing, or too little to find it, satisfies what a generator was asked for. */
export class NoInstance extends Error {}

/** The values of an arbitrary that fit. A NoInstance, instead of a search without end, where 2,000 in a row don't. */
export function such<T>(source: fc.Arbitrary<T>, fits: (value: T) => boolean, wanted: string): fc.Arbitrary<T> {
  let misses = 0;
  return source.filter((value) => {
    misses = fits(value) ? 0 : misses + 1;
    if (misses > mostMisses) {
      throw new NoInstance(`No ${wanted} among ${mostMisses} generated values: make its schema easier to satisfy.`);
    }
    return misses === 0;
  });
}
