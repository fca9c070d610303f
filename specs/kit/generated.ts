import fc from 'fast-check';
import type { Run } from '../../targets/address.ts';
import { isKept } from '../../targets/harmless.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { casesOf, examplesOf, type Cases } from './cases.ts';
import type { Attempt } from './check.ts';
import type { Trial, TrialRecord } from './trial.ts';
import { Unproven } from './unproven.ts';

/** What a generator is made for. */
interface Making {
  /** The part of a path that says which commands of a sequence ran. */
  readonly replayPath: string | undefined;
  /** Whether what the cases leave behind stays, so that they are few. */
  readonly isKept: boolean;
}

/** Where the cases of a property come from: a generator, or what makes one for a run. */
export type CaseSource<T> = fc.Arbitrary<T> | ((making: Making) => fc.Arbitrary<T>);

/** What an attempt at a property works with. */
interface Attempting<T> {
  readonly trial: Trial;
  readonly run: Run;
  readonly record: TrialRecord;
  readonly body: (trial: Trial, value: T) => Promise<void>;
}

/** Makes a property of those cases, and makes the one smaller on which it fails. */
export async function attemptProperty<T>(
  source: CaseSource<T>,
  options: Cases<T>,
  { trial, run, record, body }: Attempting<T>,
): Promise<Attempt> {
  const examples = examplesOf(run, options);
  const [ofCase] = pathsOf(run);
  let want: NotExercised | undefined;
  let unproven: Unproven | undefined;
  let proven = 0;
  delete record.failing;
  let shrinks = 0;
  let mostShrinks = run.mostShrinks;
  const attemptCase = async (value: T): Promise<void> => {
    if (want || shrinks > mostShrinks) return;
    if (record.failing) shrinks += 1;
    record.exchanges = [];
    const before = leftSoFar(trial);
    try {
      await body(trial, value);
      proven += 1;
    } catch (error) {
      if (error instanceof Unproven) {
        unproven = error;
        return;
      }
      if (error instanceof NotExercised) {
        want = error;
        return;
      }
      if (fc.PreconditionFailure.isFailure(error)) throw error;
      record.failing = record.exchanges;
      // Each attempt at a smaller case would leave as much again.
      if (isKept(run.address) && leftSoFar(trial) > before) mostShrinks = -1;
      throw error;
    }
  };
  // Mapped, so that fast-check takes no example apart: a long text of ours would cost it minutes.
  const unparsable = arbitraryOf(source, run).map((value) => value);
  const details = await fc.check(fc.asyncProperty(unparsable, attemptCase), {
    seed: run.seed,
    numRuns: casesOf(run, options),
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
      counterexample: written.replace(commandsPath, '') || 'no steps',
      ...(details.counterexamplePath === null ? {} : { path: pathTo(details.counterexamplePath, written) }),
    },
  };
}

/** How much has been left behind that stays. */
function leftSoFar({ target }: Trial): number {
  const { requests: _, ...left } = target.spent();
  return Object.values(left).reduce((sum, count) => sum + count, 0);
}

/** Parts a path into that of the case and, behind a slash, that of its commands. */
function pathsOf({ path }: Run): readonly [string | undefined, string | undefined] {
  const [ofCase, ofCommands] = path?.split('/') ?? [];
  return [ofCase, ofCommands];
}

function arbitraryOf<T>(source: CaseSource<T>, run: Run): fc.Arbitrary<T> {
  if (typeof source !== 'function') return source;
  return source({ replayPath: pathsOf(run)[1], isKept: isKept(run.address) });
}

/** How fast-check writes which of the commands of a case ran. */
const commandsPath = / *\/\*replayPath="([^"]+)"\*\//;

/** The path of a failing case, with that of its commands where it has some. */
function pathTo(path: string, written: string): string {
  const ofCommands = commandsPath.exec(written)?.[1];
  return ofCommands === undefined ? path : `${path}/${ofCommands}`;
}
