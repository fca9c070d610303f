import { findClause } from '../../contract/catalogue.ts';
import { triesToExclude, type Bound } from '../../judge/rate.ts';
import type { Observations } from '../../schemas/results.ts';
import type { CheckName } from '../../targets/address.ts';
import { checkCost, type CallingWay, type CollectedCheck, type CostTable } from './costs.ts';

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
