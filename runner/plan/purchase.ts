import { keyOf, type CallingWay, type CollectedCheck, type CostTable } from './costs.ts';
import reckoned from './order.json' with { type: 'json' };
import { planOf } from './plan.ts';

/** How much a check of a run may try: with a budget less than it was asked for. */
export interface Thrift {
  /** Generated cases a property. */
  readonly numRuns: number;
  /** Examples a property. */
  readonly mostExamples: number;
}

/** The checks in the order in which they tell most, each with what one case of it sent. */
export type Order = Readonly<Record<string, number>>;

/** The orders that were reckoned last, by the way in which checks call. */
export const orderTable: Readonly<Record<CallingWay, Order>> = reckoned;

/** What a budget of requests buys. */
export interface Purchase extends Thrift {
  /** The checks that it does not buy, by the names of the table. */
  readonly unbought: readonly string[];
  /** Requests that what it buys is going to take. */
  readonly planned: number;
}

/** Share of a budget that is left for what a failure costs: making it smaller, repeating it, asking its twin. */
const reserve = 0.05;

/** Buys checks, first one case of each in the order in which they tell most, and then, where all are bought, more cases of each. */
export function purchase(
  checks: readonly CollectedCheck[],
  {
    table,
    way,
    order,
    most,
    numRuns,
  }: Readonly<{ table: CostTable; way: CallingWay; order: Order; most: number; numRuns: number }>,
): Purchase {
  const spendable = most * (1 - reserve);
  const costOf = (some: readonly CollectedCheck[], thrift: Thrift): number =>
    planOf(
      some.map((check) => thrifty(check, thrift)),
      table,
      way,
    ).cost.requests;
  const inOrder = checks.filter(({ tries }) => tries).toSorted(byPlaceIn(order));
  const least = { numRuns: 1, mostExamples: 1 };
  // Of one case the order knows best what it sends; of what it does not have, the table.
  const leastCost = (some: readonly CollectedCheck[]): number =>
    some.reduce((sum, check) => sum + (order[nameOf(check)] ?? costOf([check], least)), 0);
  const count = largest(inOrder.length, (first) => leastCost(inOrder.slice(0, first)) <= spendable);
  const bought = inOrder.slice(0, count);
  const unbought = inOrder.slice(count).map(nameOf);
  if (unbought.length > 0) return { ...least, unbought, planned: leastCost(bought) };
  const more = (cases: number): Thrift => ({ numRuns: cases, mostExamples: cases });
  const cases = Math.max(
    1,
    largest(numRuns, (some) => costOf(bought, more(some)) <= spendable),
  );
  return { ...more(cases), unbought, planned: costOf(bought, more(cases)) };
}

function nameOf({ clause, tries }: CollectedCheck): string {
  return keyOf(clause, tries?.title ?? '');
}

/** What no order tells of comes last. */
function byPlaceIn(order: Order): (one: CollectedCheck, other: CollectedCheck) => number {
  const places = new Map(Object.keys(order).map((name, at) => [name, at]));
  const placeOf = (check: CollectedCheck): number => places.get(nameOf(check)) ?? places.size;
  return (one, other) => placeOf(one) - placeOf(other);
}

function thrifty(check: CollectedCheck, { numRuns, mostExamples }: Thrift): CollectedCheck {
  if (!check.tries) return check;
  const examples = Math.min(check.tries.examples, mostExamples);
  const generated = Math.min(check.tries.cases - check.tries.examples, Math.max(0, numRuns - examples));
  const cases = Math.max(1, examples + generated);
  return { ...check, tries: { ...check.tries, cases, examples } };
}

/** The largest number from 0 to `most` that fits, where all below one that fits do. */
function largest(most: number, fits: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
