import { sumOfCosts } from '../../contract/endpoints.ts';
import type { Bound } from '../../judge/rate.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import { isKept } from '../../targets/traffic/interlock.ts';
import { spentSoFar } from '../../targets/traffic/ledger.ts';
import { costTable, wayAt, planOf } from '../plan/costs.ts';
import { furtherChecks, mostFurther, type Further, orderTable, purchase } from '../plan/purchase.ts';
import { announcement, againLine, furtherLine, purchaseLine, deadlineOf, roomFor } from '../plan/lines.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import type { RunBasis } from './run-facts.ts';
import type { BudgetOf, FurtherRuns, SpecsWishes } from './run-specs.ts';

/** What a budget has made of the number of cases. */
export interface Thrift {
  readonly numRuns?: number;
}

/** How the requests of a run are spent. */
export interface Spending extends Pick<SpecsWishes, 'budgetOf' | 'furtherRuns'> {
  /** Known once the checks are. */
  readonly thrift: Thrift;
}

/**
 * Decides what the checks may send: as much as the budget that was asked for, or at a sandbox as much as was announced; and what
 * is done with the rest, where the run is to be surer. `onFurther` is called before checks are made again.
 */
export function spendingOf(basis: RunBasis, address: TargetAddress, onFurther: () => void): Spending {
  const { bound, budget } = basis.asked;
  const thrift: { numRuns?: number } = {};
  const furtherRuns = bound ? furtherFor(basis, bound, address, onFurther) : undefined;
  if (budget !== undefined) return { thrift, furtherRuns, budgetOf: boughtBy(budget, basis, address, thrift) };
  if (address.kind === 'sandbox') return { thrift, furtherRuns, budgetOf: announcedBudget(basis, address) };
  return { thrift, furtherRuns, budgetOf: bound && (() => ({})) };
}

function boughtBy(
  most: number,
  { settings, ledger }: RunBasis,
  address: TargetAddress,
  thrift: { numRuns?: number },
): BudgetOf {
  return (checks) => {
    const way = wayAt(address);
    const spendable = { table: costTable, way, order: orderTable[way], most: most - ledger.sent() };
    const bought = purchase(checks, { ...spendable, numRuns: settings.numRuns });
    const { numRuns, mostExamples, unbought } = bought;
    process.stdout.write(`${sayIn(settings.language)(purchaseLine(checks, bought, most))}\n\n`);
    thrift.numRuns = numRuns;
    return { traffic: { budget: most }, thrift: { numRuns, mostExamples, unbought } };
  };
}

/** Says before the first check what the run will cost its target, with what it has cost already, and for how long. */
function announcedBudget(
  { asked: { bound }, settings: { language }, ledger }: RunBasis,
  address: TargetAddress,
): BudgetOf {
  return (checks) => {
    const { maxRps } = address;
    const answerMs = ledger.guard.pace.fastestAnswerMs();
    const { cost, waitSeconds } = planOf(checks, costTable, wayAt(address));
    const whole = sumOfCosts([spentSoFar(ledger), cost]);
    const more = bound ? mostFurther(checks, furtherAt(address, bound, Infinity)) : 0;
    const lines = announcement(whole, { maxRps, answerMs, waitSeconds }, language);
    if (bound) lines.push(sayIn(language)(furtherLine(more, maxRps, answerMs)));
    process.stdout.write(`${lines.join('\n')}\n\n`);
    const requests = Math.round(whole.requests + more);
    const deadline = deadlineOf(requests, maxRps, answerMs, waitSeconds);
    return { traffic: { budget: roomFor(requests), isAnnounced: true, ...(deadline ? { deadline } : {}) } };
  };
}

/** Share of a budget that is left for what a failure costs. */
const reserve = 0.05;
/** More rounds bring little: each asks for half of what is missing. */
const mostRounds = 8;
/** Apart from one another, so that no two times draw alike; any odd number would do. */
const seedStep = 7919;

function furtherFor(basis: RunBasis, bound: Bound, address: TargetAddress, onFurther: () => void): FurtherRuns {
  const { asked, ledger, settings } = basis;
  let [rounds, times] = [0, 0];
  return ([run], checks, { outcomes }) => {
    const [first] = run ? (outcomes.get(run.name) ?? []) : [];
    if (!run || rounds === mostRounds || ledger.guard.halted()) return [];
    const left = asked.budget === undefined ? Infinity : asked.budget * (1 - reserve) - ledger.sent();
    const again = furtherChecks(checks, first?.seen ?? {}, furtherAt(address, bound, left));
    if (rounds === 0) onFurther();
    rounds += 1;
    if (again.times.length > 0) process.stdout.write(`${sayIn(settings.language)(againLine(again, bound))}\n`);
    return again.times.map((some): Run => {
      times += 1;
      return { ...run, checks: some, seed: (run.seed + times * seedStep) | 0 };
    });
  };
}

function furtherAt(address: TargetAddress, bound: Bound, left: number): Further {
  return { bound, table: costTable, way: wayAt(address), isKept: isKept(address), left };
}
