import projectPackage from '../../package.json' with { type: 'json' };
import { liveAt, type KnownDeviations } from '../../contract/catalogue.ts';
import { triesToExclude, type Bound } from '../../judge/rate.ts';
import { leftBehind, sumOfCosts } from '../../contract/endpoints.ts';
import { type Ledger, type Refused, spentSoFar } from '../../targets/traffic/ledger.ts';
import type { RunFacts } from '../../reports/judge.ts';
import type { Results } from '../../schemas/results.ts';
import type { Run, TargetAddress, TracePlace, Traffic } from '../../targets/address.ts';
import { mayIssueForReal } from '../../targets/needs-met.ts';
import { checksOf, type Arguments, filterText } from '../command-line/arguments.ts';
import type { Settings } from '../settings/settings.ts';
import { mostAgain, announcement, againLine, furtherLine, purchaseLine, deadlineOf, roomFor } from '../plan/command.ts';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { costTable, wayAt, planOf, waitsOf } from '../plan/costs.ts';
import { mostTogether } from './vitest.ts';
import { furtherAt, furtherChecks, mostFurther, orderTable, purchase } from '../plan/purchase.ts';
import { sayIn } from '../portuguese/in-portuguese.ts';
import type { BudgetOf, FurtherRuns, SpecsWishes } from './run-specs.ts';

/** What a run is made from. */
export interface RunBasis {
  readonly asked: Arguments;
  readonly settings: Settings;
  readonly suite: NonNullable<Results['suite']>;
  readonly seed: number;
  readonly knownDeviations: KnownDeviations;
  readonly watch: Stopwatch;
  readonly ledger: Ledger;
}

/** What is known of a run at this moment, besides what its checks came to. */
export function factsOf(basis: RunBasis, address: TargetAddress): RunFacts {
  const { asked, settings, suite, seed, knownDeviations, watch, ledger } = basis;
  const filter = filterText(asked);
  const refused = ledger.refused();
  return {
    target: targetFacts(address, settings),
    suite,
    clock: clockFacts(address),
    startedAt: watch.startedAt,
    durationMs: watch.totalMs(),
    seed,
    numRuns: settings.numRuns,
    requests: ledger.sent(),
    unanswered: ledger.unanswered(),
    ...(refused === undefined ? {} : { refused: refusedFacts(refused) }),
    productionIssuances: ledger.productions(),
    mayIssueForReal: mayIssueForReal(address),
    sideEffects: leftBehind((what) => ledger.left(what)),
    ...(filter === undefined ? {} : { filter }),
    ...(asked.bound === undefined ? {} : { bound: { ...asked.bound, answers: triesToExclude(asked.bound) } }),
    strict: settings.strict,
    knownDeviations,
  };
}

function refusedFacts({ code, requests, sinceSeconds }: Refused): NonNullable<RunFacts['refused']> {
  return { code, requests, since: new Date(sinceSeconds * 1000).toISOString() };
}

function clockFacts({ control, knownSkewSeconds: skewSeconds }: TargetAddress): RunFacts['clock'] {
  return { movable: control !== undefined, ...(skewSeconds === undefined ? {} : { skewSeconds }) };
}

function targetFacts(address: TargetAddress, settings: Settings): Results['target'] {
  const { kind, baseUrl, implementation, server, control } = address;
  return {
    kind,
    baseUrl,
    ...(implementation === undefined ? {} : { implementation }),
    ...(server === undefined ? {} : { server }),
    control: control !== undefined,
    profile: settings.profile,
  };
}

/** The run as the workers are told of it: the checks of these clauses against that target. */
export function runOf(
  { asked, settings, seed, knownDeviations, watch }: RunBasis,
  address: TargetAddress,
  clauses: readonly string[],
  shared: { readonly traffic: Traffic; readonly secrets: ReadonlyMap<string, string>; readonly trace: TracePlace },
): Run {
  return {
    name: address.kind,
    address,
    clauses,
    seed,
    numRuns: settings.numRuns,
    ...(asked.path === undefined ? {} : { path: asked.path }),
    ...checksOf(asked),
    isAbreast: mayBeAbreast(asked, address),
    mostShrinks: address.kind === 'sandbox' ? 50 : 2000,
    repetitions: 3,
    // One process has one node, and what was bought is kept exactly.
    ...(address.kind === 'embedded' || asked.budget !== undefined ? {} : { mostAgain }),
    knownDeviations: liveAt(knownDeviations, watch.startedAt),
    ...shared,
  };
}

/**
 * Whether checks go on while others wait for an answer: of a target far away each takes longer than the pace asks for, and some wait for
 * seconds at any. Not where a budget is kept exactly, since what two ask for at once may be asked twice, nor where somebody else's control
 * API would be steered by several; nor in a part of the suite, which is short: in turn it comes to the same failures, by the same requests,
 * each time.
 */
export function mayBeAbreast(asked: Arguments, { kind, control }: Pick<TargetAddress, 'kind' | 'control'>): boolean {
  const isWhole = asked.budget === undefined && filterText(asked) === undefined;
  return isWhole && (kind === 'embedded' || control === undefined);
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Version of this suite and, where it lies in a repository, its commit; `+` behind it says that files were changed. */
export function suiteFacts(): NonNullable<Results['suite']> {
  const commit = commitOf(root);
  return { version: projectPackage.version, ...(commit === undefined ? {} : { commit }) };
}

/** The commit that a folder was checked out from; `undefined` outside a repository of its own, or without git. */
export function commitOf(folder: string): string | undefined {
  // A copy of the suite inside somebody else's repository is not at that repository's commit.
  const isOwn = git(folder, 'rev-parse', '--show-prefix') === '';
  if (!isOwn) return undefined;
  const commit = git(folder, 'rev-parse', '--short=12', 'HEAD');
  return commit && git(folder, 'status', '--porcelain', '--untracked-files=no') !== '' ? `${commit}+` : commit;
}

function git(folder: string, ...words: readonly string[]): string | undefined {
  try {
    return execFileSync('git', ['-C', folder, ...words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return undefined;
  }
}

/** Tells where the time of a run went. */
export interface Stopwatch {
  /** ISO time of the start. */
  readonly startedAt: string;
  totalMs(): number;
  /** Ends a phase. */
  lap(phase: string): void;
  /** The phases in a line. */
  line(): string;
}

/** A stopwatch that runs from now on. */
export function stopwatch(): Stopwatch {
  const startedAt = new Date().toISOString();
  const startMs = performance.now();
  let lapMs = startMs;
  const laps: string[] = [];
  return {
    startedAt,
    totalMs: () => Math.round(performance.now() - startMs),
    lap(phase) {
      const now = performance.now();
      laps.push(`${phase} ${seconds(now - lapMs)}`);
      lapMs = now;
    },
    line: () => `Time: ${seconds(performance.now() - startMs)} in all; ${laps.join(', ')}`,
  };
}

/** Milliseconds as seconds with two digits. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}

/** What a budget has made of the number of cases. */
export interface Thrift {
  readonly numRuns?: number;
}

/** How the requests of a run are spent. */
interface Spending extends Pick<SpecsWishes, 'budgetOf' | 'furtherRuns'> {
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
function announcedBudget({ asked, settings: { language }, ledger }: RunBasis, address: TargetAddress): BudgetOf {
  return (checks) => {
    const { bound } = asked;
    const { maxRps } = address;
    const { pace, waits } = ledger.guard;
    const way = wayAt(address);
    const { cost } = planOf(checks, costTable, way);
    const waitsBy = (perAnswerMs: number): ReturnType<typeof waitsOf> =>
      waitsOf(checks, costTable, way, {
        answerMs: perAnswerMs,
        settlementMs: waits.settlementMs(),
        requests: Math.min(address.burst ?? mostTogether, mostTogether),
        checks: mostTogether,
      });
    const { answerMs, waitSeconds } = waitsBy(pace.fastestAnswerMs());
    const whole = sumOfCosts([spentSoFar(ledger), cost]);
    const more = bound ? mostFurther(checks, furtherAt(address, bound, Infinity)) : 0;
    const lines = announcement(whole, { maxRps, answerMs, waitSeconds }, language);
    if (bound) lines.push(sayIn(language)(furtherLine(more, maxRps, answerMs)));
    process.stdout.write(`${lines.join('\n')}\n\n`);
    const requests = Math.round(whole.requests + more);
    const times = { fastestMs: answerMs, meanMs: waitsBy(pace.meanAnswerMs()).answerMs };
    const deadline = deadlineOf(requests, maxRps, times, waitSeconds);
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
