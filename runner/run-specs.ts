import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest, type Reporter, type TestCase, type TestModule, type Vitest } from 'vitest/node';
import { topicOf } from '../contract/catalogue.ts';
import type { CheckOutcome } from '../schemas/results.ts';
import type { Run } from '../targets/address.ts';

/** What came of running the specs. */
export interface SpecsResult {
  /** The outcomes of each run, by its name. */
  readonly outcomes: ReadonlyMap<string, readonly CheckOutcome[]>;
  /** What broke in the suite itself; none in a sound run. */
  readonly faults: readonly string[];
  /** Milliseconds that each spec file took. */
  readonly fileDurations: ReadonlyMap<string, number>;
}

const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs the checks of all runs in one vitest; runs differ by target, clauses and seed. */
export async function runSpecs(runs: readonly Run[], budgetOf?: BudgetOf): Promise<SpecsResult> {
  const outcomes = new Map<string, CheckOutcome[]>(runs.map(({ name }) => [name, []]));
  const faults: string[] = [];
  const fileDurations = new Map<string, number>();
  const reporter: Reporter = {
    onTestCaseResult(test) {
      const meta = test.meta();
      if (meta.run === undefined || meta.outcomes === undefined) faults.push(...faultsOf(test));
      else outcomes.get(meta.run)?.push(...meta.outcomes);
    },
    onTestModuleEnd(module) {
      fileDurations.set(basename(module.moduleId), Math.round(module.diagnostic().duration));
    },
    onTestRunEnd(modules, errors) {
      faults.push(...modules.flatMap(moduleFaults), ...errors.map(({ message }) => message));
    },
  };
  const vitest = await createVitest({
    root,
    project: ['conformance'],
    watch: false,
    reporters: [reporter],
    // A ceiling on requests is kept by one worker, and so is a port that is always the same.
    fileParallelism: runs.every(({ address }) => address.maxRps === 0 && address.webhook.listen.port === 0),
  });
  try {
    const files = specFiles(runs);
    vitest.provide('runs', runs);
    if (budgetOf) {
      const budget = budgetOf(await plannedRequests(vitest, files));
      vitest.provide(
        'runs',
        runs.map((run) => ({ ...run, traffic: { ...run.traffic, budget } })),
      );
    }
    await vitest.start(files);
  } finally {
    await vitest.close();
    process.exitCode = undefined;
  }
  return { outcomes: new Map([...outcomes].map(([run, all]) => [run, merged(all)])), faults, fileDurations };
}

/** What several checks saw of one rule is one check: it failed where any of them did. */
function merged(outcomes: readonly CheckOutcome[]): CheckOutcome[] {
  const groups = Map.groupBy(outcomes, ({ clause, result }) => `${clause} ${result.name}`);
  return [...groups.values()].flatMap((group) => {
    const worst = group.find(({ result }) => result.state === 'failed') ?? group[0];
    const sum = (of: (outcome: CheckOutcome) => number): number => group.reduce((total, each) => total + of(each), 0);
    if (!worst || group.length === 1) return group;
    const cases = sum(({ result }) => result.cases);
    const assertions = sum(({ result }) => result.assertions);
    return [{ ...worst, result: { ...worst.result, cases, assertions } }];
  });
}

/** Decides how many requests a run may send, of how many it will about send. */
export type BudgetOf = (planned: number) => number;

async function plannedRequests(vitest: Vitest, files: string[]): Promise<number> {
  const { testModules } = await vitest.collect(files, { staticParse: false });
  const tests = testModules.flatMap((module) => [...module.children.allTests()]);
  return tests.reduce((sum, test) => sum + (test.meta().planned ?? 0), 0);
}

/** The spec files of the topics that the runs ask for: vitest calls a file without tests a failure. */
function specFiles(runs: readonly Run[]): string[] {
  const topics = new Set(runs.flatMap(({ clauses }) => clauses.map(topicOf)));
  return [...topics].map((topic) => `specs/${topic}.`);
}

function faultsOf(test: TestCase): string[] {
  const { errors } = test.result();
  return [`${test.name}: ${errors?.map(({ message }) => message).join('; ') ?? 'ended without an outcome'}`];
}

/** That a file has no check for these runs is no fault: whoever judges misses the clauses that lack an outcome. */
function moduleFaults(module: TestModule): string[] {
  return module
    .errors()
    .filter(({ message }) => !message.startsWith('No test suite found'))
    .map(({ message }) => `${basename(module.moduleId)}: ${message}`);
}
