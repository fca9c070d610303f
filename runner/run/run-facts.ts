import { liveAt, type KnownDeviations } from '../../contract/catalogue.ts';
import { triesToExclude } from '../../judge/rate.ts';
import { leftBehind } from '../../contract/endpoints.ts';
import type { Ledger } from '../../targets/traffic/ledger.ts';
import type { RunFacts } from '../../reports/judge.ts';
import type { Results } from '../../schemas/results.ts';
import type { Run, TargetAddress, TracePlace, Traffic } from '../../targets/address.ts';
import { mayIssueForReal } from '../../targets/needs-met.ts';
import { checksOf, type Arguments, filterText } from '../command-line/arguments.ts';
import type { Settings } from '../settings/settings.ts';
import { mostAgain } from '../plan/lines.ts';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import projectPackage from '../../package.json' with { type: 'json' };

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
    mostShrinks: address.kind === 'sandbox' ? 50 : 2000,
    repetitions: 3,
    // One process has one node, and what was bought is kept exactly.
    ...(address.kind === 'embedded' || asked.budget !== undefined ? {} : { mostAgain }),
    knownDeviations: liveAt(knownDeviations, watch.startedAt),
    ...shared,
  };
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
