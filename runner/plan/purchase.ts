import {
  keyOf,
  type CallingWay,
  type CollectedCheck,
  type CostTable,
  checkCost,
  costTable,
  planOf,
  wayAt,
} from './costs.ts';
import reckoned from './order.json' with { type: 'json' };
import { findClause } from '../../contract/catalogue.ts';
import { triesToExclude, type Bound } from '../../judge/rate.ts';
import type { Observations } from '../../schemas/results.ts';
import type { CheckName, TargetAddress } from '../../targets/address.ts';
import { isKept } from '../../targets/traffic/interlock.ts';

/** How much a check of a run may try: with a budget less than it was asked for. */
interface Thrift {
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
  // Of one case the order knows best what it sends; what it does not have adds, by the table, what none before it has shared.
  const leastCost = (some: readonly CollectedCheck[]): number => {
    const known = some.filter((check) => order[nameOf(check)] !== undefined);
    const sent = known.reduce((sum, check) => sum + (order[nameOf(check)] ?? 0), 0);
    return known.length === some.length ? sent : sent + costOf(some, least) - costOf(known, least);
  };
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

/** What checks may be made again for, and with what. */
export interface Further {
  readonly bound: Bound;
  readonly table: CostTable;
  readonly way: CallingWay;
  /** Whether what a check leaves behind stays: those that leave something are not made again. */
  readonly isKept: boolean;
  /** Requests that are left. */
  readonly left: number;
}

/** What checks may be made again at a target, with so many requests. */
export function furtherAt(address: TargetAddress, bound: Bound, left: number): Further {
  return { bound, table: costTable, way: wayAt(address), isKept: isKept(address), left };
}

/** A must clause that was not seen often enough, and the checks of it that can be made again. */
interface Short {
  readonly right: number;
  /** How often all of its checks would have to be made again, and how often they are now. */
  readonly missing: number;
  readonly times: number;
  readonly requests: number;
  readonly checks: readonly CheckName[];
}

/** Checks that are made again. */
export interface Again {
  /** A list for each time that all of it is made. */
  readonly times: readonly (readonly CheckName[])[];
  /** The clauses that they are made for, and about how many requests they take. */
  readonly clauses: number;
  readonly requests: number;
}

/**
 * Which checks are made again, so that each must clause that holds so far is seen as often as the bound asks. Those that were seen
 * least come first where the requests don't suffice for all. About half of what is missing: what is seen in passing brings more.
 */
export function furtherChecks(
  checks: readonly CollectedCheck[],
  seen: Readonly<Record<string, Observations>>,
  further: Further,
): Again {
  const ofClause = Map.groupBy(checks, ({ clause }) => clause);
  const short = [...ofClause]
    .flatMap(([clause, own]) => shortOf(clause, own, seen[clause], further))
    .toSorted((one, other) => one.right - other.right);
  const times: CheckName[][] = [];
  let spent = 0;
  for (let time = 0; short.some((clause) => clause.times > time); time++) {
    const list: CheckName[] = [];
    for (const { times: wanted, requests, checks: own } of short) {
      if (wanted <= time || spent + requests > further.left) continue;
      spent += requests;
      list.push(...own);
    }
    if (list.length === 0) break;
    times.push(list);
  }
  const clauses = new Set(times.flat().map(({ clause }) => clause)).size;
  return { times, clauses, requests: spent };
}

/** Most requests that this may come to, where nothing is seen in passing. */
export function mostFurther(checks: readonly CollectedCheck[], further: Further): number {
  const nothing = { right: 0, wrong: 0, bound95: 1 };
  const ofClause = Map.groupBy(checks, ({ clause }) => clause);
  const short = [...ofClause].flatMap(([clause, own]) => shortOf(clause, own, nothing, further));
  return short.reduce((sum, { missing, requests }) => sum + missing * requests, 0);
}

/** Vitest is asked for no more of them at a time; so few are not worth to be asked for in halves. */
const [mostTimes, fewTimes] = [40, 4];

function shortOf(
  clause: string,
  checks: readonly CollectedCheck[],
  seen: Observations | undefined,
  further: Further,
): Short[] {
  const enough = triesToExclude(further.bound);
  if (findClause(clause)?.level !== 'must' || !seen || seen.wrong > 0 || seen.right >= enough) return [];
  const again = checks.filter((check) => isRepeatable(check, further));
  const cases = again.reduce((sum, { tries }) => sum + (tries?.cases ?? 0), 0);
  if (cases === 0) return [];
  const missing = Math.ceil((enough - seen.right) / cases);
  return [
    {
      right: seen.right,
      missing,
      times: Math.min(mostTimes, missing <= fewTimes ? missing : Math.ceil(missing / 2)),
      requests: again.reduce((sum, check) => sum + requestsOf(check, further), 0),
      checks: again.flatMap(({ tries }) => (tries ? [{ clause, check: tries.title }] : [])),
    },
  ];
}

/** Whether a check can be made again at no other price than requests. */
function isRepeatable(check: CollectedCheck, { table, way, isKept }: Further): boolean {
  const { requests = 0, ...left } = checkCost(table, check, way)?.cost ?? {};
  const isLeaving = Object.values(left).some((count) => count > 0);
  return requests > 0 && check.tries?.waitSeconds === 0 && !(isKept && isLeaving);
}

function requestsOf(check: CollectedCheck, { table, way }: Further): number {
  return checkCost(table, check, way)?.cost.requests ?? 0;
}
