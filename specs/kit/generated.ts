import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { Run } from '../../targets/address.ts';
import { isKept } from '../../targets/harmless.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { casesOf } from './cases.ts';
import { basisOf } from './awaiting.ts';
import type { Attempt } from './check.ts';
import { Deviation } from './deviation.ts';
import { LeftOut } from '../../targets/left-out.ts';
import { isNoted, sawKept } from './noting.ts';
import type { TrialRecord } from './trial-record.ts';

/** What a generator is made for. */
interface Making {
  /** The part of a path that says which commands of a sequence ran. */
  readonly replayPath: string | undefined;
  /** Whether what the cases leave behind stays, so that they are few. */
  readonly isKept: boolean;
}

/** Where the cases of a property come from: a generator, or what makes one for a run. */
export type CaseSource<T> = fc.Arbitrary<T> | ((making: Making) => fc.Arbitrary<T>);

/** The generator of a run. */
export function arbitraryOf<T>(source: CaseSource<T>, run: Run): fc.Arbitrary<T> {
  if (typeof source !== 'function') return source;
  return source({ replayPath: pathsOf(run)[1], isKept: isKept(run.address) });
}

/** How often the same case is tried: once more, and again, for what comes only now and then. */
const mostAlike = 3;

/**
 * Makes a check by generated cases once: the examples, then as many others as the run asks for. Where a generator has but a few cases
 * none of them is tried more than three times.
 */
export async function attemptProperty<T>(
  arbitrary: fc.Arbitrary<T>,
  examples: readonly T[],
  run: Run,
  record: TrialRecord,
  body: (value: T) => Promise<void>,
): Promise<Attempt> {
  const [ofCase] = pathsOf(run);
  let want: NotExercised | undefined;
  let leftOut: LeftOut | undefined;
  let made = 0;
  let leftUntried = 0;
  const timesTried = new Map<string, number>();
  let shrinks = 0;
  let { mostShrinks } = run;
  const attemptCase = async (value: T): Promise<void> => {
    if (want || shrinks > mostShrinks) return;
    if (record.failing) shrinks += 1;
    else if (isTriedEnough(timesTried, value)) {
      leftUntried += 1;
      return;
    }
    record.exchanges = [];
    record.missed = new Map();
    const { leftBehind } = record;
    try {
      await body(value);
      made += 1;
      sawKept(record);
    } catch (error) {
      if (error instanceof LeftOut) {
        leftOut = error;
        return;
      }
      if (error instanceof NotExercised) {
        want = error;
        return;
      }
      // It passes for fast-check: what is skipped would be made up for by other cases, many times over.
      if (isNoted(record, error, () => caseText(fc.stringify(value)))) return;
      if (!fc.PreconditionFailure.isFailure(error)) {
        const basis = error instanceof Deviation ? basisOf(error, record) : undefined;
        const isSure = basis === 'answers';
        // A smaller case that the network may have failed is no smaller case of a failure that is the target's.
        if (record.failing?.isSure && !isSure) return;
        record.failing = { exchanges: record.exchanges, missed: record.missed, isSure };
        // Each attempt at a smaller case would leave as much again.
        if (isKept(run.address) && record.leftBehind > leftBehind) mostShrinks = -1;
        // What was refused since it was sent twice says nothing, and no more for being smaller.
        if (basis === 'resent') mostShrinks = -1;
        // Each would wait as long again.
        if (record.exchanges.some(({ isLate }) => isLate)) mostShrinks = -1;
      }
      throw error;
    } finally {
      // Only now a sequence of commands tells which of them ran.
      if (!record.failing) record.distinct.add(hash('sha256', caseText(fc.stringify(value))));
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
  const lack = want ?? (made === 0 ? leftOut : undefined);
  const cases = details.numRuns - leftUntried;
  if (!details.failed) return { cases, ...(lack ? { failure: { error: lack } } : {}) };
  if (details.counterexample === null) throw new Error(`the generator of this check skipped ${details.numSkips} cases`);
  const written = fc.stringify(details.counterexample[0]);
  return {
    cases,
    failure: {
      error: details.errorInstance,
      counterexample: caseText(written),
      ...(details.counterexamplePath === null ? {} : { path: pathTo(details.counterexamplePath, written) }),
    },
  };
}

/** Whether a case was tried often enough; counts it where it was not. What a sequence of commands is shows only once it has run. */
function isTriedEnough(timesTried: Map<string, number>, value: unknown): boolean {
  const text = caseText(fc.stringify(value));
  if (text === noSteps) return false;
  const key = hash('sha256', text);
  const times = timesTried.get(key) ?? 0;
  timesTried.set(key, times + 1);
  return times >= mostAlike;
}

/** Parts a path into that of the case and, behind a slash, that of its commands. */
function pathsOf({ path }: Run): readonly [string | undefined, string | undefined] {
  const [ofCase, ofCommands] = path?.split('/') ?? [];
  return [ofCase, ofCommands];
}

/** How fast-check writes which of the commands of a case ran. */
const commandsPath = /(?<! ) *\/\*replayPath="([^"]+)"\*\//;

/** A sequence of commands of which none has run. */
const noSteps = 'no steps';

/** A case as a report shows it. */
function caseText(written: string): string {
  return written.replace(commandsPath, '') || noSteps;
}

/** The path of a failing case, with that of its commands where it has some. */
function pathTo(path: string, written: string): string {
  const ofCommands = commandsPath.exec(written)?.[1];
  return ofCommands === undefined ? path : `${path}/${ofCommands}`;
}
