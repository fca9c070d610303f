import type { ClauseId } from '../../contract/catalogue.ts';
import type { NeedName } from '../../contract/clause.ts';
import type { Run } from '../../targets/address.ts';
import type { PoolName } from './pooled.ts';
import type { TrialRecord } from './trial-record.ts';
import type { Trial } from './trial.ts';
import { isKept } from '../../targets/traffic/interlock.ts';

/** A check of one clause: how it is made, apart from any target. */
export interface CheckPlan {
  readonly clause: ClauseId;
  /** The rule in the present tense. */
  readonly title: string;
  readonly needs: readonly NeedName[];
  /** The pool that its requests belong to. */
  readonly pool?: PoolName | undefined;
  /** Whether, at the one address of a run, it fails deliveries, or looks for verdicts where these are sent. */
  readonly isInTurn?: boolean | undefined;
  /** How many examples it tries on every run, where it has some. */
  readonly examples?: (run: Run) => number;
  /** Makes it once; `cases` counts what it tried. */
  readonly attempt: (trial: Trial, run: Run, record: TrialRecord) => Promise<AttemptAtCheck>;
}

/** What an attempt at a check came to. */
export interface AttemptAtCheck {
  readonly cases: number;
  /** What it failed with, and on which case. */
  readonly failure?: { readonly error: unknown; readonly counterexample?: string; readonly path?: string };
}

/** How much a check tries when nothing fails: what it costs follows from that. */
export interface PlannedTries {
  readonly title: string;
  readonly cases: number;
  /** How many of the cases are examples, which each run tries. */
  readonly examples: number;
  /** Whether it tries fewer cases than it was asked for, since each leaves something behind. */
  readonly isCut: boolean;
  /** Seconds that it waits where no clock can be moved. */
  readonly waitSeconds: number;
  /** Whether others are made while it waits. */
  readonly isAbreast?: true;
  /** No ceiling on requests a second asks for manners within a case. */
  readonly isUnpaced?: true;
}

/** Which cases are tried: examples before generated ones. */
export interface Cases<T> {
  /** Each of them is tried on every run. */
  readonly examples?: readonly T[];
  /** So many of 10 cases, the first ones, are enough where a ceiling on requests a second asks for manners; of more, as many more. */
  readonly mostPolitely?: number;
  /** So many of these may be examples, where that is less: with none another case is drawn in every run, and each time it is made again. */
  readonly politeExamples?: number;
  /** Most cases, where each makes several requests, or large ones, and is one of few kinds. */
  readonly most?: number;
  /** Most cases where each of them leaves something behind that stays: on a sandbox without control API. */
  readonly mostOnSandbox?: number;
}

/** The run as it makes the checks of a clause: some may be tried more thoroughly than others. */
export function asAskedOf(run: Run, clause: string): Run {
  const { thorough, mostExamples: _, ...whole } = run;
  return thorough?.clauses.includes(clause) ? { ...whole, numRuns: thorough.numRuns } : run;
}

/**
 * Whether a check of a run may be made at the same time as others: not where the one address of the run is called for what others have
 * asked for, too, and nothing tells whose it is.
 */
export function isAbreast(
  { needs, isInTurn = false }: Pick<CheckPlan, 'needs' | 'isInTurn'>,
  { isAbreast: isRunAbreast = false, address }: Run,
): boolean {
  const isDisturbed = isInTurn || needs.includes('verification-webhook');
  return isRunAbreast && !(address.webhook.shared !== undefined && isDisturbed);
}

/** The examples that a run tries. */
export function examplesOf<T>(run: Run, cases: Cases<T>): readonly T[] {
  const { examples = [], mostPolitely = examples.length, politeExamples = mostPolitely } = cases;
  return examples.slice(0, Math.min(politely(run, politeExamples), mostOf(run, cases), run.mostExamples ?? Infinity));
}

/** The run as it is for a property whose cases may have to be few. */
export function withFewCases(run: Run, cases: Cases<unknown>): Run {
  const { most = Infinity, mostPolitely = Infinity } = cases;
  return { ...run, numRuns: Math.min(run.numRuns, most, politely(run, mostPolitely), mostOf(run, cases)) };
}

/** Cases that are asked for where nothing is said, at a server that is asked at a pace. */
const usualCases = 10;

/** How many cases manners allow: who asks for more cases than usual gets more of these, too. */
function politely({ address, numRuns }: Run, most: number): number {
  return address.maxRps > 0 ? Math.ceil(most * Math.max(1, numRuns / usualCases)) : Infinity;
}

/** How many cases a run tries: every example, however few are asked for; a replay makes its one case. */
export function casesOf(run: Run, examples: readonly unknown[]): number {
  return run.path === undefined ? Math.max(run.numRuns, examples.length) : 1;
}

/** How much a property tries. */
export function triesOf<T>(
  run: Run,
  options: Cases<T>,
): Pick<PlannedTries, 'cases' | 'examples' | 'isCut' | 'isUnpaced'> {
  const examples = examplesOf(run, options);
  const cases = casesOf(withFewCases(run, options), examples);
  return {
    cases,
    examples: Math.min(cases, examples.length),
    isCut: mostOf(run, options) < run.numRuns,
    ...paceOf(run),
  };
}

/** Whether nothing but the checks themselves bounds what a case sends. */
export function paceOf({ address }: Run): Pick<PlannedTries, 'isUnpaced'> {
  return address.maxRps > 0 ? {} : { isUnpaced: true };
}

function mostOf({ address }: Run, { mostOnSandbox = Infinity }: Cases<unknown>): number {
  return isKept(address) ? mostOnSandbox : Infinity;
}
