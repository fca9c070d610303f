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
      const { run, outcome } = test.meta();
      if (run === undefined || outcome === undefined) faults.push(...faultsOf(test));
      else outcomes.get(run)?.push(outcome);
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
    fileParallelism: runs.every(({ address }) => address.maxRps === 0),
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
  return { outcomes, faults, fileDurations };
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
