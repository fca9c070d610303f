import { liveAt, type KnownDeviations } from '../../contract/catalogue.ts';
import { triesToExclude } from '../../judge/rate.ts';
import { leftBehind } from '../../contract/endpoints.ts';
import type { Ledger } from '../../targets/traffic/ledger.ts';
import type { RunFacts } from '../../reports/run-facts.ts';
import type { Results } from '../../schemas/results.ts';
import type { Run, TargetAddress, TracePlace, Traffic } from '../../targets/address.ts';
import { mayIssueForReal } from '../../targets/needs-met.ts';
import { checksOf, type Arguments } from '../command-line/arguments.ts';
import { filterText } from '../command-line/select.ts';
import type { Settings } from '../settings/settings.ts';
import { mostAgain } from './budget.ts';
import type { Stopwatch } from './stopwatch.ts';

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
  return {
    target: targetFacts(address, settings),
    suite,
    clock: clockFacts(address),
    startedAt: watch.startedAt,
    durationMs: watch.totalMs(),
    seed,
    numRuns: settings.numRuns,
    requests: ledger.sent(),
    productionIssuances: ledger.productions(),
    mayIssueForReal: mayIssueForReal(address),
    sideEffects: leftBehind((what) => ledger.left(what)),
    ...(filter === undefined ? {} : { filter }),
    ...(asked.bound === undefined ? {} : { bound: { ...asked.bound, answers: triesToExclude(asked.bound) } }),
    strict: settings.strict,
    knownDeviations,
  };
}

function clockFacts({ control, knownSkewSeconds: skewSeconds }: TargetAddress): RunFacts['clock'] {
  return { movable: control !== undefined, ...(skewSeconds === undefined ? {} : { skewSeconds }) };
}

function targetFacts(address: TargetAddress, settings: Settings): Results['target'] {
  const { kind, baseUrl, implementation, control } = address;
  return {
    kind,
    baseUrl,
    ...(implementation === undefined ? {} : { implementation }),
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
    mostShrinks: address.kind === 'sandbox' ? 50 : 2000,
    repetitions: 3,
    // One process has one node, and what was bought is kept exactly.
    ...(address.kind === 'embedded' || asked.budget !== undefined ? {} : { mostAgain }),
    knownDeviations: liveAt(knownDeviations, watch.startedAt),
    ...shared,
  };
}
