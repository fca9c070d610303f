import fc from 'fast-check';
import { NoInstance } from '../such.ts';
import type { Plain } from './plain.ts';

/** Numbers that a schema admits, whole and with a fraction; never negative zero, which JSON text loses. */
export function numberOf(schema: Plain): fc.Arbitrary<number> {
  if (schema.multipleOf !== undefined) return integerOf(schema);
  const { low, lowExcluded, high, highExcluded } = boundsOf(schema);
  const empty = low > high || (low === high && (lowExcluded || highExcluded));
  if (empty) throw new NoInstance(`no number lies within ${JSON.stringify(schema)}`);
  const fraction = fc.double({
    min: low === -Infinity ? Math.min(-1e9, high - 1e9) : low,
    max: high === Infinity ? Math.max(1e9, low + 1e9) : high,
    minExcluded: lowExcluded,
    maxExcluded: highExcluded,
    noNaN: true,
  });
  const { first, last } = integersOf(schema);
  return (first > last ? fraction : fc.oneof(integerOf(schema), fraction)).map(withoutNegativeZero);
}

/** Integers that a schema admits, multiples of `multipleOf`, within what a double holds exactly. A NoInstance where there is none. */
export function integerOf(schema: Plain): fc.Arbitrary<number> {
  const step = schema.multipleOf ?? 1;
  const { first, last } = integersOf(schema);
  if (first > last) throw new NoInstance(`no integer lies within ${JSON.stringify(schema)}`);
  return fc.integer({ min: first, max: last }).map((count) => withoutNegativeZero(count * step));
}

/** The first and the last multiple that the bounds admit, counted in steps of `multipleOf`. */
function integersOf(schema: Plain): { first: number; last: number } {
  const step = schema.multipleOf ?? 1;
  const { low, lowExcluded, high, highExcluded } = boundsOf(schema);
  const most = Math.floor(Number.MAX_SAFE_INTEGER / step);
  return {
    first: Math.max(-most, lowExcluded ? Math.floor(low / step) + 1 : Math.ceil(low / step)),
    last: Math.min(most, highExcluded ? Math.ceil(high / step) - 1 : Math.floor(high / step)),
  };
}

function boundsOf(schema: Plain) {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const low = Math.max(minimum, exclusiveMinimum);
  const high = Math.min(maximum, exclusiveMaximum);
  return {
    low,
    lowExcluded: low === schema.exclusiveMinimum,
    high,
    highExcluded: high === schema.exclusiveMaximum,
  };
}

function withoutNegativeZero(value: number): number {
  return value + 0;
}
