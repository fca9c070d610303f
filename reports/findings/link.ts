import type { FactName } from '../../schemas/finding.ts';
import { type Break, factOf, timesOf } from './breaks.ts';

/** Tells whether two clauses seem to be broken by one thing. */
export type Link = (one: Break, other: Break) => boolean;

/** Two that have the same to show of something; what shows nothing of it has nothing in common with anything. */
export function sharing(shown: (one: Break) => string | undefined): Link {
  return (one, other) => {
    const own = shown(one);
    return own !== undefined && own === shown(other);
  };
}

/** Whether all records of both have the same value of a fact. */
export function isSame(one: Break, other: Break, name: FactName): boolean {
  return factOf(one, name) !== undefined && factOf(one, name) === factOf(other, name);
}

/** Whether nothing that is known of both differs. */
export function isAlike(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

/** Whether it holds more often than not: what stands on it is then not broken for it, but where the same came. */
export function isRare(one: Break): boolean {
  const { wrong, of } = timesOf(one);
  return 2 * wrong < of;
}
