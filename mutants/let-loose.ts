import { openLedger } from '../targets/traffic/ledger.ts';
import { catalogue } from '../contract/catalogue.ts';
import { leftBehind } from '../contract/endpoints.ts';
import { runResults, withoutDyingAnswers } from '../runner/judging/run-results.ts';
import { runSpecs, type FurtherRuns } from '../runner/run/run-specs.ts';
import { profileAt } from '../runner/settings/target-address.ts';
import { makePartsFolder, removePartsFolder } from '../runner/judging/trace-file.ts';
import type { CheckOutcome, Results } from '../schemas/results.ts';
import type { StagedRules } from '../simulator/gateway/gateway.ts';
import type { CheckName, Run } from '../targets/address.ts';
import { startEmbedded } from '../targets/container.ts';
import { plainRun } from '../targets/plain-run.ts';

/** A simulator that the checks of some clauses are let loose on, and how they are made. */
export interface Wish extends Pick<
  Run,
  'clauses' | 'seed' | 'numRuns' | 'mostExamples' | 'thorough' | 'mostShrinks' | 'repetitions' | 'mostAgain'
> {
  readonly id: string;
  readonly rules: StagedRules;
  /** Most requests over one connection, as at a sandbox. */
  readonly perConnection?: number;
  /** Whether all that passes by is judged, too; where it is not said, of whom failures are repeated. */
  readonly isTraced?: boolean;
}

/** What came of letting checks loose. */
export interface Loosed {
  /** By the ids of the wishes. */
  readonly outcomes: ReadonlyMap<string, readonly CheckOutcome[]>;
  /** The same, judged as the outcomes of a run are; an implied clause that does not hold counts as one that fails. */
  readonly results: ReadonlyMap<string, Results>;
  /** What broke in the suite itself. */
  readonly faults: readonly string[];
}

/** Checks that are made once more, with other cases: those of each wish, by its id, as what came of all of them decides. */
interface SecondLook extends Pick<Run, 'numRuns'> {
  readonly checksOf: (outcomes: Loosed['outcomes']) => ReadonlyMap<string, readonly CheckName[]>;
}

/** Starts all of the simulators, makes all checks in one vitest, and judges what came of each. */
export async function letLoose(wishes: readonly Wish[], second?: SecondLook): Promise<Loosed> {
  const started = await Promise.all(wishes.map(startedFor));
  let isFirst = true;
  const furtherRuns: FurtherRuns = (runs, _, { outcomes }) => {
    if (!second || !isFirst) return [];
    isFirst = false;
    const checks = second.checksOf(outcomes);
    const again = runs.map((run) => ({ ...run, checks: checks.get(run.name) ?? [], numRuns: second.numRuns }));
    return again.filter((run) => run.checks.length > 0);
  };
  try {
    const { outcomes, faults } = await runSpecs(
      started.map(({ run }) => run),
      { furtherRuns },
    );
    const results = started.map(({ run }) => [run.name, resultsOf(run, outcomes.get(run.name) ?? [])] as const);
    return { outcomes, results: new Map(results), faults };
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
}

async function startedFor({
  id,
  rules,
  isTraced,
  perConnection,
  ...how
}: Wish): Promise<{ run: Run; stop: () => Promise<void> }> {
  const { address: started, stop } = await startEmbedded({ rules, profile: profileAt('profiles/default') });
  const address = { ...started, ...(perConnection === undefined ? {} : { perConnection }) };
  const directory = makePartsFolder();
  const stopAll = async (): Promise<void> => void (await Promise.all([stop(), removePartsFolder(directory)]));
  // A mutant is to be caught by a check of its clause; who repeats, as a real run does, judges all that passes by.
  const trace = (isTraced ?? how.repetitions > 0) ? { trace: { directory, key: '' } } : {};
  return { run: plainRun(address, { name: id, ...how, isAbreast: true, ...trace }), stop: stopAll };
}

function resultsOf({ address, clauses, seed, numRuns, traffic }: Run, outcomes: readonly CheckOutcome[]): Results {
  const ledger = openLedger(traffic.memory, { maxRps: 0, budget: 0 });
  const facts = {
    target: { kind: address.kind, baseUrl: address.baseUrl, control: true, profile: '' },
    suite: { version: '' },
    clock: { movable: true },
    startedAt: '',
    durationMs: 0,
    seed,
    numRuns,
    requests: ledger.sent(),
    productionIssuances: 0,
    mayIssueForReal: true,
    sideEffects: leftBehind(() => 0),
    strict: true,
    knownDeviations: {},
  };
  const asked = catalogue.filter(({ id }) => clauses.includes(id));
  const { guard } = ledger;
  const told = withoutDyingAnswers(outcomes, guard.outages.startsMs());
  return runResults(facts, asked, { outcomes: told, halt: guard.halted() }).results;
}

/** The clauses that were seen not to hold. */
export function accusedIn({ clauses }: Results): readonly string[] {
  return clauses.filter(({ verdict }) => verdict === 'failed').map(({ id }) => id);
}
