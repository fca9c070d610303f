import fc from 'fast-check';
import { inject, test } from 'vitest';
import { findClause, type ClauseId } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/needs.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { lackAt } from '../../targets/target.ts';
import { everySignature } from './every-signature.ts';
import { isNoted, sawKept } from './noting.ts';
import { perform } from './perform.ts';
import type { Trial, TrialRecord } from './trial.ts';
import { Unproven } from './unproven.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The runs that the specs are to make, each against its own target. */
    runs: readonly Run[];
  }
  interface TaskMeta {
    /** Name of the run that a check belongs to. */
    run?: string;
    /** The clause that the check is made for. */
    clause?: string;
    /** Titles under which failures of that clause may be told: its own, and that of what every check sees besides. */
    titles?: readonly string[];
    /** About how many requests the check will send. */
    planned?: number;
    /** How the check ended, and what it saw besides of another clause; absent when the suite itself broke. */
    outcomes?: readonly CheckOutcome[];
  }
}

/** A check of one clause: how it is made, apart from any target. */
export interface CheckPlan {
  readonly clause: ClauseId;
  /** The rule in the present tense. */
  readonly title: string;
  readonly needs: readonly NeedName[];
  /** About how many requests it sends when nothing fails. */
  readonly planned: (run: Run) => number;
  /** How many examples it tries on every run, where it has some. */
  readonly examples?: (run: Run) => number;
  /** Makes it once; `cases` counts what it tried. */
  readonly attempt: (trial: Trial, run: Run, record: TrialRecord) => Promise<Attempt>;
}

/** What an attempt at a check came to. */
export interface Attempt {
  readonly cases: number;
  /** What it failed with, and on which case. */
  readonly failure?: { readonly error: unknown; readonly counterexample?: string; readonly path?: string };
}

/** What a check needs beyond what its clause needs, or whether it goes the other way, which its clause names. */
interface CheckOptions {
  readonly needs?: readonly NeedName[];
  readonly isOtherWay?: boolean;
}

/** What checks by one example send, on the average. */
const requestsOfExample = 12;
/** The untouched twin and the flawed request. */
const requestsOfCase = 2;

/** What a check sends, as far as it can be told before. */
interface Cost {
  /** Requests of a case with its set-up and its untouched twin; 2 when absent. */
  readonly requestsPerCase?: number;
}

/** Declares a check of a clause by one example. */
export function check(
  clause: ClauseId,
  title: string,
  body: (trial: Trial) => Promise<void>,
  options: CheckOptions = {},
): void {
  register({
    clause,
    title,
    needs: needsOf(clause, options),
    planned: () => requestsOfExample,
    attempt: (trial, _, record) => attemptExample(() => body(trial), record),
  });
}

/** Makes a check by one example once. */
export async function attemptExample(body: () => Promise<void>, record: TrialRecord): Promise<Attempt> {
  try {
    await body();
    sawKept(record);
    return { cases: 1 };
  } catch (error) {
    return isNoted(record, error) ? { cases: 1 } : { cases: 1, failure: { error } };
  }
}

/** Cases that are tried before generated ones. */
interface Examples<T> {
  /** Each of them is tried on every run. */
  readonly examples?: readonly T[];
  /** So many of them, the first ones, are enough where a ceiling on requests a second asks for manners. */
  readonly mostPolitely?: number;
}

/** The examples that a run tries. */
function examplesOf<T>(run: Run, { examples = [], mostPolitely = examples.length }: Examples<T>): readonly T[] {
  return run.address.maxRps > 0 ? examples.slice(0, mostPolitely) : examples;
}

/**
 * Declares a check of a clause by generated cases; the examples are tried first. Sequences of commands come from a function,
 * which is given the part of a path that says which of them ran.
 */
export function property<T>(
  clause: ClauseId,
  title: string,
  arbitrary: fc.Arbitrary<T> | ((replayPath?: string) => fc.Arbitrary<T>),
  body: (trial: Trial, value: T) => Promise<void>,
  options: CheckOptions & Examples<T> & Cost = {},
): void {
  register({
    clause,
    title,
    needs: needsOf(clause, options),
    planned: (run) => (options.requestsPerCase ?? requestsOfCase) * casesOf(run, examplesOf(run, options)),
    examples: (run) => examplesOf(run, options).length,
    attempt: (trial, run, record) =>
      attemptProperty(arbitraryOf(arbitrary, run), examplesOf(run, options), run, record, (value) =>
        body(trial, value),
      ),
  });
}

/** Parts a path into that of the case and, behind a slash, that of its commands. */
function pathsOf({ path }: Run): readonly [string | undefined, string | undefined] {
  const [ofCase, ofCommands] = path?.split('/') ?? [];
  return [ofCase, ofCommands];
}

function arbitraryOf<T>(
  arbitrary: fc.Arbitrary<T> | ((replayPath?: string) => fc.Arbitrary<T>),
  run: Run,
): fc.Arbitrary<T> {
  return typeof arbitrary === 'function' ? arbitrary(pathsOf(run)[1]) : arbitrary;
}

/** How fast-check writes which of the commands of a case ran. */
const commandsPath = / *\/\*replayPath="([^"]+)"\*\//;

/** A case as a report shows it. */
function caseText(written: string): string {
  return written.replace(commandsPath, '') || 'no steps';
}

/** The path of a failing case, with that of its commands where it has some. */
function pathTo(path: string, written: string): string {
  const ofCommands = commandsPath.exec(written)?.[1];
  return ofCommands === undefined ? path : `${path}/${ofCommands}`;
}

/** Makes a check by generated cases once: the examples, then as many others as the run asks for. */
export async function attemptProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  examples: readonly T[],
  run: Run,
  record: TrialRecord,
  body: (value: T) => Promise<void>,
): Promise<Attempt> {
  const [ofCase] = pathsOf(run);
  let want: NotExercised | undefined;
  let unproven: Unproven | undefined;
  let proven = 0;
  delete record.failing;
  delete record.failingMissed;
  let shrinks = 0;
  const attemptCase = async (value: T): Promise<void> => {
    if (want || shrinks > run.mostShrinks) return;
    if (record.failing) shrinks += 1;
    record.exchanges = [];
    record.missed = new Map();
    try {
      await body(value);
      proven += 1;
      sawKept(record);
    } catch (error) {
      if (error instanceof Unproven) {
        unproven = error;
        return;
      }
      if (error instanceof NotExercised) {
        want = error;
        return;
      }
      // It passes for fast-check: what is skipped would be made up for by other cases, many times over.
      if (isNoted(record, error, () => caseText(fc.stringify(value)))) return;
      if (!fc.PreconditionFailure.isFailure(error)) {
        record.failing = record.exchanges;
        record.failingMissed = record.missed;
      }
      throw error;
    }
  };
  // Mapped, so that fast-check takes no example apart: a long text of ours would cost it minutes.
  const unparsable = arbitrary.map((value) => value);
  const details = await fc.check(fc.asyncProperty(unparsable, attemptCase), {
    seed: run.seed,
    numRuns: casesOf(run, examples),
    examples: examples.map((example): [T] => [example]),
    endOnFailure: run.mostShrinks === 0,
    includeErrorInReport: false,
    ...(ofCase === undefined ? {} : { path: ofCase }),
  });
  const lack = want ?? (proven === 0 ? unproven : undefined);
  if (!details.failed) return { cases: details.numRuns, ...(lack ? { failure: { error: lack } } : {}) };
  if (details.counterexample === null) throw new Error(`the generator of this check skipped ${details.numSkips} cases`);
  const written = fc.stringify(details.counterexample[0]);
  return {
    cases: details.numRuns,
    failure: {
      error: details.errorInstance,
      counterexample: caseText(written),
      ...(details.counterexamplePath === null ? {} : { path: pathTo(details.counterexamplePath, written) }),
    },
  };
}

function needsOf(id: ClauseId, { needs = [], isOtherWay = false }: CheckOptions): readonly NeedName[] {
  const clause = findClause(id);
  const ofClause = isOtherWay ? clause?.needsInstead : (clause?.needs ?? []);
  if (!ofClause) throw new Error(`a check goes another way to ${id} than its clause knows of: give it needsInstead`);
  return [...new Set([...ofClause, ...needs])];
}

/** Every example is tried, however few cases are asked for; a replay makes its one case. */
function casesOf(run: Run, examples: readonly unknown[] = []): number {
  return run.path === undefined ? Math.max(run.numRuns, examples.length) : 1;
}

/** One test for each run that asks for the clause. */
function register(plan: CheckPlan): void {
  for (const run of inject('runs')) {
    if (!run.clauses.includes(plan.clause) || (run.check !== undefined && run.check !== plan.title)) continue;
    const isMissing = plan.needs.some((need) => lackAt(run.address, need) !== undefined);
    const planned = isMissing ? 0 : plan.planned(run);
    const titles = plan.clause === everySignature.clause ? [plan.title, everySignature.name] : [plan.title];
    const meta = { clause: plan.clause, titles, planned };
    test(`${run.name} ${plan.clause}: ${plan.title}`, { meta }, async ({ task }) => {
      task.meta.run = run.name;
      task.meta.outcomes = await perform(plan, run, task.file.name);
    });
  }
}
