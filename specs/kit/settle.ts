import type { Trouble } from '../../contract/trouble.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Target } from '../../targets/target.ts';
import type { Attempt, CheckPlan } from './check.ts';
import { isFrail, isHurried } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import { diagnosed } from './diagnosis.ts';
import { newRecord, trialOf, type TrialRecord } from './trial.ts';

/** How a check came out in the end. */
export type Settled =
  | { readonly state: 'passed'; readonly cases: number; readonly flaky: readonly string[] }
  | { readonly state: 'not-exercised'; readonly cases: number; readonly reason: string; readonly trouble: Trouble }
  | { readonly state: 'failed'; readonly cases: number; readonly failure: Failure };

/** A deviation with the case that shows it. */
export interface Failure extends Omit<NonNullable<Attempt['failure']>, 'error'> {
  readonly error: Deviation;
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
 * it was flaky and the check begins again. Throws what is neither a deviation nor a want: then the suite itself is broken.
 */
export async function settle(plan: CheckPlan, run: Run, target: Target, record: TrialRecord): Promise<Settled> {
  const outcomes: string[] = [];
  for (let round = 0; round < mostRounds; round++) {
    record.missed = new Map();
    const { cases, failure } = await plan.attempt(trialOf(target, record), run, record);
    if (!failure) return { state: 'passed', cases, flaky: [...outcomes, ...counted(record.hiccups)] };
    const { error, ...rest } = failure;
    if (error instanceof NotExercised) return notExercised(cases, error);
    if (!(error instanceof Deviation)) throw error;
    const again = await failureAgain(plan, run, target, rest.path);
    const doubt = again && doubtOf(record, again, target);
    if (doubt) return notExercised(cases, doubt);
    if (again)
      return { state: 'failed', cases, failure: { error: await diagnosed(error, run, target, record), ...rest } };
    outcomes.push(`failed: ${error.actual}`, `passed ${run.repetitions} times when repeated`);
  }
  const reason = `the target is unstable: ${outcomes.join('; ')}`;
  return { state: 'not-exercised', cases: 0, reason, trouble: 'network' };
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
): Promise<FailedAgain | undefined> {
  const again = { ...run, mostShrinks: 0, ...(path === undefined ? {} : { path }) };
  for (let repetition = 0; repetition < run.repetitions; repetition++) {
    const record = newRecord(true);
    const { failure } = await plan.attempt(trialOf(target, record), again, record);
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
