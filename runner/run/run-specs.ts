import { basename } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { topicOf } from '../../contract/catalogue.ts';
import type { PlannedCheck } from '../../reports/progress-line.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run, TargetAddress, Traffic } from '../../targets/address.ts';
import type { RecordLine } from '../../trace/lines.ts';
import { clausesInPassing, withPassing } from '../judging/in-passing.ts';
import { readParts } from '../judging/trace-file.ts';
import { checkCost, costTable, wayAt, type CollectedCheck } from '../plan/costs.ts';
import { closeVitest, mostTogether, openVitest, together } from './vitest.ts';
import { plainRun } from '../../targets/plain-run.ts';

/** What came of running the specs. */
export interface SpecsResult {
  /** The outcomes of each run, by its name. */
  readonly outcomes: ReadonlyMap<string, readonly CheckOutcome[]>;
  /** What happened in each run, as it was written down. */
  readonly lines: ReadonlyMap<string, readonly RecordLine[]>;
  /** Secrets of the applications that the checks made for themselves. */
  readonly secrets: ReadonlySet<string>;
  /** What broke in the suite itself; none in a sound run. */
  readonly faults: readonly string[];
}

/** Is told how the specs are getting on. */
export interface SpecsWatcher {
  /** The specs begin; these are the names of their files. */
  started(files: readonly string[]): void;
  /** A file has told its checks; it may tell them again. */
  read(file: string, checks: readonly PlannedCheck[]): void;
  /** A check has ended; it has no outcome where the suite itself broke. */
  ended(id: string, outcomes: readonly CheckOutcome[]): void;
}

/** How the specs are run, besides on which targets. */
export interface SpecsWishes {
  readonly budgetOf?: BudgetOf | undefined;
  readonly furtherRuns?: FurtherRuns | undefined;
  readonly watcher?: SpecsWatcher;
  /** The specs are not waited for any more once this comes. */
  readonly stopped?: Promise<void>;
}

/**
 * Runs the checks of all runs in one vitest; runs differ by target, clauses and seed. Once it is stopped, gives what there is:
 * then threads may still be at work, which end with the process.
 */
export async function runSpecs(
  runs: readonly Run[],
  { budgetOf, furtherRuns, watcher, stopped }: SpecsWishes = {},
): Promise<SpecsResult> {
  const stop = stopBy(stopped);
  const gathered = new Gathered(runs, stop, watcher);
  const releaseSignals = signalsAsTheyAre();
  // A ceiling on requests is kept by one worker, and so are a port that is always the same, and what checks share at a target.
  const isOfSeveral = runs.every(({ address }) => mayRunInSeveral(address));
  const isTogether = !isOfSeveral && runs.every(({ isAbreast }) => isAbreast === true);
  const vitest = await openVitest({
    reporters: [gathered.reporter],
    // Checks wait for answers: where there is work for many, three threads keep two cores at it.
    maxWorkers: runs.length > 1 ? 3 : 2,
    fileParallelism: isOfSeveral,
    ...(isTogether ? { maxConcurrency: mostTogether } : {}),
  });
  releaseSignals();
  let made = runs;
  let planned: readonly CollectedCheck[] = [];
  const further = (): readonly Run[] =>
    furtherRuns && !stop.isStopped() ? furtherRuns(made, planned, gathered.result()) : [];
  try {
    const files = isTogether ? [together] : specFiles(runs);
    vitest.provide('runs', runs);
    if (budgetOf) {
      const { testModules = [] } = (await stop.or(vitest.collect(files, { staticParse: false }))) ?? {};
      for (const module of testModules) gathered.tellChecks(module);
      planned = testModules.flatMap(collectedChecks);
      const limits: Limits = stop.isStopped() ? {} : budgetOf(planned);
      made = runs.map((run) => ({ ...run, ...limits.thrift, traffic: { ...run.traffic, ...limits.traffic } }));
      vitest.provide('runs', made);
    }
    if (!stop.isStopped()) await stop.or(vitest.start(files));
    for (let more = further(); more.length > 0; more = further()) {
      gathered.goOn(more);
      vitest.provide('runs', more);
      await stop.or(vitest.start(isTogether ? [together] : specFiles(more)));
    }
  } finally {
    if (stop.isStopped()) process.exitCode = undefined;
    else await closeVitest(vitest);
  }
  return gathered.result();
}

/** What the specs come to, as vitest tells it. */
class Gathered {
  readonly #runs: readonly Run[];
  readonly #stop: Stop;
  readonly #watcher: SpecsWatcher | undefined;
  readonly #outcomes: ReadonlyMap<string, CheckOutcome[]>;
  readonly #secrets = new Set<string>();
  readonly #faults: string[] = [];
  readonly #broken: BrokenCheck[] = [];
  /** What has come of each run so far, judged, with what was written down. */
  readonly #judged = new Map<string, Judged>();
  /** Whether checks are made again: nobody watches them, since all of them were made. */
  #isGoingOn = false;

  constructor(runs: readonly Run[], stop: Stop, watcher: SpecsWatcher | undefined) {
    [this.#runs, this.#stop, this.#watcher] = [runs, stop, watcher];
    this.#outcomes = new Map(runs.map(({ name }) => [name, []]));
  }

  readonly reporter: Reporter = {
    onTestRunStart: (files) => {
      if (!this.#isGoingOn) this.#watcher?.started(files.map(({ moduleId }) => basename(moduleId)));
    },
    onTestModuleCollected: (module) => this.tellChecks(module),
    onTestCaseResult: (test) => this.#take(test),
    onTestModuleEnd: (module) => {
      // Again, for a file without checks: it is not collected.
      this.tellChecks(module);
    },
    onTestRunEnd: (modules, errors) => {
      this.#faults.push(...modules.flatMap(moduleFaults), ...errors.map(({ message }) => message));
    },
  };

  /** Tells who watches of the checks in a file. */
  tellChecks(module: TestModule): void {
    if (!this.#isGoingOn) this.#watcher?.read(basename(module.moduleId), plannedChecks(module, this.#runs));
  }

  #take(test: TestCase): void {
    if (this.#stop.isStopped()) return;
    const { run, outcomes } = test.meta();
    if (!this.#isGoingOn) this.#watcher?.ended(test.id, outcomes ?? []);
    for (const secret of outcomes?.flatMap((outcome) => outcome.secrets ?? []) ?? []) this.#secrets.add(secret);
    if (run !== undefined && outcomes !== undefined) this.#outcomes.get(run)?.push(...outcomes);
    else this.#broken.push({ check: test.name, fault: faultOf(test) });
  }

  /** These are to make checks again. */
  goOn(runs: readonly Run[]): void {
    this.#isGoingOn = true;
    for (const { name } of runs) this.#judged.delete(name);
  }

  /** All of it, with what is judged in passing of what each run has written down. */
  result(): SpecsResult {
    const judged = this.#runs.map((run) => [run.name, this.#judgedOf(run)] as const);
    const outcomes = new Map(judged.map(([name, each]) => [name, each.outcomes]));
    const lines = new Map(judged.map(([name, each]) => [name, each.lines]));
    return { outcomes, lines, secrets: this.#secrets, faults: [...toldOnce(this.#broken), ...this.#faults] };
  }

  #judgedOf(run: Run): Judged {
    const known = this.#judged.get(run.name);
    if (known) return known;
    const lines = run.trace ? readParts(run.trace.directory) : [];
    const own = merged(this.#outcomes.get(run.name) ?? []);
    const judged = { outcomes: withPassing(own, lines, clausesInPassing(run), run), lines };
    this.#judged.set(run.name, judged);
    return judged;
  }
}

/** A check that ended without an outcome, and what broke it. */
interface BrokenCheck {
  readonly check: string;
  readonly fault: string;
}

/** A line for each thing that broke checks: the first of them, and how many more it broke. */
export function toldOnce(broken: readonly BrokenCheck[]): string[] {
  return [...Map.groupBy(broken, ({ fault }) => fault)].map(([fault, [first, ...others]]) => {
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
    return `${first?.check}${more}: ${fault}`;
  });
}

/** What came of a run, and what it has written down. */
interface Judged {
  readonly outcomes: readonly CheckOutcome[];
  readonly lines: readonly RecordLine[];
}

function mayRunInSeveral({ maxRps, webhook, control }: TargetAddress): boolean {
  return maxRps === 0 && webhook.listen.port === 0 && control !== undefined;
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
    const distinct = group.every(({ result }) => result.distinctCases === undefined)
      ? {}
      : { distinctCases: sum(({ result }) => result.distinctCases ?? result.cases) };
    return [{ ...worst, result: { ...worst.result, cases, assertions, ...distinct } }];
  });
}

/** Decides, of what has come of the checks so far, which of them are made again, each run with some of them; none ends it. */
export type FurtherRuns = (
  runs: readonly Run[],
  checks: readonly CollectedCheck[],
  result: SpecsResult,
) => readonly Run[];

/** Decides how many requests a run may send, and until when, of the checks that it is going to make. */
export type BudgetOf = (checks: readonly CollectedCheck[]) => Limits;

/** What a run is held to once its checks are known. */
interface Limits {
  readonly traffic?: Pick<Traffic, 'budget' | 'deadline'>;
  /** How much less than it was asked for it tries. */
  readonly thrift?: Pick<Run, 'numRuns' | 'mostExamples' | 'unbought'>;
}

interface Stop {
  readonly isStopped: () => boolean;
  /** What comes of that work, unless it is stopped before. */
  readonly or: <T>(work: Promise<T>) => Promise<T | undefined>;
}

function stopBy(stopped: Promise<void> = new Promise(() => undefined)): Stop {
  let isStopped = false;
  void stopped.then(() => (isStopped = true));
  return { isStopped: () => isStopped, or: (work) => Promise.race([stopped.then(() => undefined), work]) };
}

/** Takes off, once it is called, whoever listens to signals by then and did not before: vitest would end the process by itself. */
function signalsAsTheyAre(): () => void {
  const known = (['SIGINT', 'SIGTERM'] as const).map((signal) => ({ signal, before: process.listeners(signal) }));
  return () => {
    for (const { signal, before } of known) {
      for (const listener of process.listeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
    }
  };
}

/** The checks that runs would make, without making any. */
export function collectChecks(runs: readonly Run[]): Promise<readonly CollectedCheck[]> {
  return collected(runs, (modules) => {
    const faults = modules.flatMap(moduleFaults);
    if (faults.length > 0) throw new Error(`the specs can't be read: ${faults.join(' | ')}`);
    return modules.flatMap(collectedChecks);
  });
}

/** Reads the specs of runs, and makes no check; `read` is told of them. */
async function collected<T>(runs: readonly Run[], read: (modules: readonly TestModule[]) => T): Promise<T> {
  const vitest = await openVitest();
  try {
    vitest.provide('runs', runs);
    const { testModules } = await vitest.collect(specFiles(runs), { staticParse: false });
    return read(testModules);
  } finally {
    await closeVitest(vitest);
  }
}

function plannedChecks(module: TestModule, runs: readonly Run[]): PlannedCheck[] {
  return collectedChecks(module).map((check) => {
    const address = runs.find(({ name }) => name === check.run)?.address;
    const cost = address && checkCost(costTable, check, wayAt(address))?.cost;
    return { id: check.id, clause: check.clause, requests: Math.round(cost?.requests ?? 1) };
  });
}

function collectedChecks(module: TestModule): (CollectedCheck & { readonly file: string })[] {
  return [...module.children.allTests()].map((test) => {
    const { run = '', clause = '', planned, file = basename(module.moduleId) } = test.meta();
    return { id: test.id, run, clause, file, ...(planned ? { tries: planned } : {}) };
  });
}

/** The spec files of the topics that the runs ask for: vitest calls a file without tests a failure. */
function specFiles(runs: readonly Run[]): string[] {
  const topics = new Set(runs.flatMap(({ clauses }) => clauses.map(topicOf)));
  return [...topics].map((topic) => `specs/${topic}.`);
}

function faultOf(test: TestCase): string {
  return (
    test
      .result()
      .errors?.map(({ message }) => message)
      .join('; ') ?? 'ended without an outcome'
  );
}

/**
 * That a file has no check for these runs is no fault: whoever judges misses the clauses that lack an outcome. A check in the file of
 * another topic is one: who asks for its clause alone would never meet it.
 */
function moduleFaults(module: TestModule): string[] {
  const file = basename(module.moduleId);
  const broken = module.errors().filter(({ message }) => !message.startsWith('No test suite found'));
  return [...broken.map(({ message }) => `${file}: ${message}`), ...strayChecks(collectedChecks(module))];
}

/** What is wrong with the checks of spec files: a line for each clause that is not of its file's topic. */
export function strayChecks(checks: readonly { readonly clause: string; readonly file: string }[]): string[] {
  const strays = checks.filter(({ clause, file }) => !file.startsWith(`${topicOf(clause)}.`));
  return [
    ...new Set(strays.map(({ clause, file }) => `${file}: a check of ${clause} belongs into the spec of its topic`)),
  ];
}

/** Titles of the checks of clauses, by clause id: only the specs know them, so they are read, which takes a second or two. */
export function checkTitles(
  clauses: readonly string[],
  address: TargetAddress,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return collected([plainRun(address, { name: 'titles', clauses, seed: 0, numRuns: 0 })], (modules) => {
    const told = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.meta()));
    const byClause = Map.groupBy(told, ({ clause = '' }) => clause);
    return new Map([...byClause].map(([clause, metas]) => [clause, metas.flatMap(({ titles = [] }) => titles)]));
  });
}
