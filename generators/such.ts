import type fc from 'fast-check';

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
