import { hash } from 'node:crypto';
import fc from 'fast-check';
import type { Run } from '../../targets/address.ts';
import { isKept } from '../../targets/traffic/interlock.ts';
import { NotExercised, LeftOut } from '../../targets/not-exercised.ts';
import { casesOf, type AttemptAtCheck } from './check-plan.ts';
import { basisOf } from './awaiting.ts';
import { Deviation } from './deviation.ts';
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

/** How long a failing case is made smaller: what takes a second to try is not tried two thousand times. */
const longestShrinkingMs = 30_000;

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
): Promise<AttemptAtCheck> {
  const [path] = pathsOf(run);
  const tries = new Tries(run, record, body);
  // Mapped, so that fast-check takes no example apart: a long text of ours would cost it minutes.
  const unparsable = arbitrary.map((value) => value);
  const details = await fc.check(
    fc.asyncProperty(unparsable, (value) => tries.try(value)),
    {
      seed: run.seed,
      numRuns: casesOf(run, examples),
      examples: examples.map((example): [T] => [example]),
      endOnFailure: run.mostShrinks === 0,
      includeErrorInReport: false,
      ...(path === undefined ? {} : { path }),
    },
  );
  const cases = details.numRuns - tries.leftUntried;
  if (!details.failed) return { cases, ...(tries.lack ? { failure: { error: tries.lack } } : {}) };
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

/** The cases of one attempt at a property, one after another, as fast-check draws them and makes them smaller. */
class Tries<T> {
  readonly #run: Run;
  readonly #record: TrialRecord;
  readonly #body: (value: T) => Promise<void>;
  readonly #timesTried = new Map<string, number>();
  #want: NotExercised | undefined;
  #leftOut: LeftOut | undefined;
  #made = 0;
  #shrinks = 0;
  #mostShrinks: number;
  #shrinksUntilMs = Infinity;
  #leftUntried = 0;

  constructor(run: Run, record: TrialRecord, body: (value: T) => Promise<void>) {
    [this.#run, this.#record, this.#body] = [run, record, body];
    this.#mostShrinks = run.mostShrinks;
  }

  /** Cases that were drawn once too often. */
  get leftUntried(): number {
    return this.#leftUntried;
  }

  /** Why the property could not be tried at all. */
  get lack(): NotExercised | undefined {
    return this.#want ?? (this.#made === 0 ? this.#leftOut : undefined);
  }

  /** Tries a case; throws where it fails, for fast-check. */
  async try(value: T): Promise<void> {
    if (this.#want || this.#shrinks > this.#mostShrinks || performance.now() > this.#shrinksUntilMs) return;
    const record = this.#record;
    if (record.failing) this.#shrinks += 1;
    else if (isTriedEnough(this.#timesTried, value)) {
      this.#leftUntried += 1;
      return;
    }
    record.exchanges = [];
    record.missed = new Map();
    const { leftBehind } = record;
    try {
      await this.#body(value);
      this.#made += 1;
      if (!record.hasItems) sawKept(record);
    } catch (error) {
      if (this.#isPassedOver(error, value)) return;
      this.#noteFailure(error, record.leftBehind > leftBehind);
      throw error;
    } finally {
      // Only now a sequence of commands tells which of them ran.
      if (!record.failing) record.distinct.add(hash('sha256', caseText(fc.stringify(value))));
    }
  }

  /**
   * Whether a case that did not end well fails nothing: it was left out, could not be made, failed in a way that is accepted, or is
   * smaller than the failing one and says less. It passes for fast-check: what is skipped would be made up for by other cases.
   */
  #isPassedOver(error: unknown, value: T): boolean {
    if (error instanceof LeftOut) {
      this.#leftOut = error;
      return true;
    }
    if (error instanceof NotExercised) {
      this.#want = error;
      return true;
    }
    if (isNoted(this.#record, error, () => caseText(fc.stringify(value)))) return true;
    // A smaller case that the network may have failed is no smaller case of a failure that is the target's.
    const isSure = error instanceof Deviation && basisOf(error, this.#record) === 'answers';
    return !fc.PreconditionFailure.isFailure(error) && this.#record.failing?.isSure === true && !isSure;
  }

  /** Notes what the failing case was, and whether it is to be made smaller. */
  #noteFailure(error: unknown, hasLeft: boolean): void {
    if (fc.PreconditionFailure.isFailure(error)) return;
    const record = this.#record;
    if (!record.failing) this.#shrinksUntilMs = performance.now() + longestShrinkingMs;
    const basis = error instanceof Deviation ? basisOf(error, record) : undefined;
    record.failing = { exchanges: record.exchanges, missed: record.missed, isSure: basis === 'answers' };
    // Each attempt at a smaller case would leave as much again, or wait as long again.
    const wouldCost = (isKept(this.#run.address) && hasLeft) || record.exchanges.some(({ isLate }) => isLate);
    const isAbsentPremise = error instanceof Deviation && error.isAbsentPremise;
    // What was refused since it was sent twice says nothing, and no more for being smaller.
    if (wouldCost || isAbsentPremise || basis === 'resent') this.#mostShrinks = -1;
  }
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
