import type { Trouble } from '../../contract/trouble.ts';
import type { Way } from '../../schemas/way.ts';
import type { Run } from '../../targets/address.ts';
import { sideEffectOf } from '../../client/side-effects.ts';
import { isKept } from '../../targets/harmless.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Target } from '../../targets/target.ts';
import { acceptedWays, isPassedOver } from './accepted.ts';
import type { Attempt, CheckPlan } from './check.ts';
import { isFrail, isHurried } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import { diagnosed } from './diagnosis.ts';
import { maskOf } from './mask.ts';
import { wayFound, type Noting } from './noting.ts';
import { survey } from './survey.ts';
import { newRecord, trialOf, type TrialRecord } from './trial.ts';

/** How a check came out in the end. */
export type Settled =
  | { readonly state: 'passed'; readonly cases: number; readonly flaky: readonly string[] }
  | { readonly state: 'not-exercised'; readonly cases: number; readonly reason: string; readonly trouble: Trouble }
  | { readonly state: 'failed'; readonly cases: number; readonly failure: Failure };

/** A deviation with the case that shows it. */
export interface Failure extends Omit<NonNullable<Attempt['failure']>, 'error'> {
  readonly error: Deviation;
  /** The same as one of the ways in which the check fails. */
  readonly way: Way;
  /** Ways that are accepted, after which the check went on. */
  readonly known: readonly Way[];
  /** Every way in which its examples fail; `undefined` where they were not all tried. */
  readonly ways: readonly Way[] | undefined;
}

/** How often a check whose failures don't repeat is begun again. */
const mostRounds = 3;

/** The same as `settle`, but a run that goes no further makes no check. */
export async function settleUnlessHalted(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
): Promise<Settled> {
  try {
    target.look();
  } catch (error) {
    if (error instanceof NotExercised) return notExercised(0, error);
    throw error;
  }
  return settle(plan, run, target, record);
}

/**
 * Makes a check until its outcome is sure. A failure is repeated with the same case: if it fails once more it stands; if not,
 * it was flaky and the check begins again. A failure by something that was accepted and stays is not repeated. Throws what is neither a deviation nor a want: then the suite itself is broken.
 */
export async function settle(plan: CheckPlan, run: Run, target: Target, record: TrialRecord): Promise<Settled> {
  const outcomes: string[] = [];
  const unrepeated = (actual: string): void => {
    outcomes.push(`failed: ${actual}`, `passed ${run.repetitions} times when repeated`);
  };
  for (let round = 0; round < mostRounds; round++) {
    record.missed = new Map();
    const found = await sought(plan, run, target, record);
    const { cases, failure, known } = found;
    if (!failure && !known[0]) return { state: 'passed', cases, flaky: [...outcomes, ...counted(record.hiccups)] };
    const error = failure?.error;
    if (error instanceof NotExercised) return notExercised(cases, error);
    if (failure && !(error instanceof Deviation)) throw error;
    const settled = await settledFailure(plan, run, target, record, found);
    if (settled instanceof NotExercised) return notExercised(cases, settled);
    if (settled) return { state: 'failed', cases, failure: settled };
    unrepeated(error instanceof Deviation ? error.actual : (known[0]?.actual ?? ''));
  }
  const reason = `the target is unstable: ${outcomes.join('; ')}`;
  return { state: 'not-exercised', cases: 0, reason, trouble: 'network' };
}

/** The failure that was found, if it comes again, with all that is told of it; why it accuses nobody, where it is in doubt. */
async function settledFailure(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  { failure, known, goesOnAfter }: Sought,
): Promise<Failure | NotExercised | undefined> {
  const { error, ...rest } = failure ?? { error: undefined };
  if (!(error instanceof Deviation)) return undefined;
  const startedMs = performance.now();
  const hasLeft = isKept(run.address) && record.leftBehind > 0;
  if (!isDecided(record, run)) {
    const again = await failureAgain(plan, run, target, failure?.path, goesOnAfter);
    if (!again) return undefined;
    const doubt = doubtOf(record, again, target);
    if (doubt) return doubt;
  }
  const tookMs = performance.now() - startedMs;
  const exchanges = record.failing ?? record.exchanges;
  const way = wayFound(error, exchanges, maskOf(run, target, record), failure?.counterexample);
  const told = await diagnosed(error, run, target, record);
  // A survey would leave as much again, or wait as long again.
  const wasLate = exchanges.some(({ isLate }) => isLate);
  const ways = hasLeft || wasLate ? undefined : await survey(plan, run, target, record, { way, tookMs });
  return { ...rest, error: told, way, known, ways };
}

/**
 * Whether the last answer of a failing case is that something was accepted which stays: what a target has taken it has taken,
 * and asking again would only leave as much again.
 */
function isDecided(record: TrialRecord, { address }: Run): boolean {
  const last = (record.failing ?? record.exchanges).at(-1);
  return isKept(address) && last !== undefined && sideEffectOf(last) !== undefined;
}

/** A failure that was looked for. */
interface Sought extends Attempt {
  readonly known: readonly Way[];
  /** After which failures the check went on when it was found. */
  readonly goesOnAfter?: Noting['goesOnAfter'];
}

/**
 * One attempt at a check. Where ways of failing are accepted, it is made for another one first; where there is none, once more
 * for the smallest case that shows one of those.
 */
async function sought(plan: CheckPlan, run: Run, target: Target, record: TrialRecord): Promise<Sought> {
  const goesOnAfter = acceptedWays(plan, run);
  if (!goesOnAfter) return { ...(await attempted(plan, run, target, record)), known: [] };
  const first = await attempted(plan, run, target, record, goesOnAfter);
  const known = [...first.met];
  if (known.length === 0 || !isPassedOver(first.failure?.error)) return { ...first, known, goesOnAfter };
  return { ...(await attempted(plan, run, target, record)), known };
}

/** Makes a check once; with `goesOnAfter` it goes on after such failures, and gives the ways that it met. */
async function attempted(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  goesOnAfter?: Noting['goesOnAfter'],
): Promise<Attempt & { readonly met: readonly Way[] }> {
  delete record.noting;
  const met = new Map<string, Way>();
  if (goesOnAfter) record.noting = { goesOnAfter, mask: () => maskOf(run, target, record), met };
  const seed = `${run.seed} ${plan.clause} ${plan.title}`;
  const attempt = await plan.attempt(trialOf(target, record, seed), run, record);
  return { ...attempt, met: [...met.values()] };
}

function notExercised(cases: number, { message: reason, trouble }: NotExercised): Settled {
  return { state: 'not-exercised', cases, reason, trouble };
}

/** A repetition that failed, too, or could not be made. */
interface FailedAgain {
  readonly record: TrialRecord;
  /** Why it could not be made. */
  readonly want?: NotExercised;
}

/** The first repetition that fails with the same case; one that can't be made counts as no doubt by itself. */
async function failureAgain(
  plan: CheckPlan,
  run: Run,
  target: Target,
  path: string | undefined,
  goesOnAfter: Noting['goesOnAfter'] | undefined,
): Promise<FailedAgain | undefined> {
  const again = { ...run, mostShrinks: 0, ...(path === undefined ? {} : { path }) };
  for (let repetition = 0; repetition < run.repetitions; repetition++) {
    const record = newRecord(true);
    const { failure } = await attempted(plan, again, target, record, goesOnAfter);
    if (failure) return { record, ...(failure.error instanceof NotExercised ? { want: failure.error } : {}) };
  }
  return run.repetitions === 0 ? { record: newRecord(true) } : undefined;
}

/**
 * Why a failure accuses nobody though it was not seen to pass: what it missed was hardly waited for, both times, or it shows
 * what a target shows as well that was going down, and by now is lost.
 */
function doubtOf(first: TrialRecord, { record, want }: FailedAgain, { ledger }: Target): NotExercised | undefined {
  if (isHurried(missedIn(first)) && (want !== undefined || isHurried(missedIn(record))))
    return new NotExercised(hurriedText);
  return ledger.guard.halted()?.kind === 'lost' && isFrailFailure(first) ? want : undefined;
}

/** Whether the failing case shows what a target that is going down shows as well. */
export function isFrailFailure(record: TrialRecord): boolean {
  return isFrail(record.failing ?? record.exchanges, missedIn(record));
}

const hurriedText =
  'something did not come within a second, and since it had failed to come before, it was waited for no longer';

function missedIn({ failingMissed, missed }: TrialRecord): TrialRecord['missed'] {
  return failingMissed ?? missed;
}

/** Equal texts once, with how often they came. */
function counted(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, same]) =>
    same.length === 1 ? text : `${same.length} times: ${text}`,
  );
}
