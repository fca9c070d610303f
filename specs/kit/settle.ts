import type { Trouble } from '../../contract/trouble.ts';
import type { Run } from '../../targets/address.ts';
import { sideEffectOf } from '../../client/side-effects.ts';
import { isKept } from '../../targets/harmless.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Target } from '../../targets/target.ts';
import type { Attempt, CheckPlan } from './check.ts';
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

/**
 * Makes a check until its outcome is sure. A failure is repeated with the same case: if it fails once more it stands; if not,
 * it was flaky and the check begins again. A failure by something that was accepted and stays is not repeated. Throws what is neither a deviation nor a want: then the suite itself is broken.
 */
export async function settle(plan: CheckPlan, run: Run, target: Target, record: TrialRecord): Promise<Settled> {
  const outcomes: string[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const { cases, failure } = await plan.attempt(trialOf(target, record), run, record);
    if (!failure) return { state: 'passed', cases, flaky: [...outcomes, ...counted(record.hiccups)] };
    const { error, ...rest } = failure;
    if (error instanceof NotExercised)
      return { state: 'not-exercised', cases, reason: error.message, trouble: error.trouble };
    if (!(error instanceof Deviation)) throw error;
    const repeats = isDecided(record, run) || (await failsAgain(plan, run, target, rest.path));
    if (repeats)
      return { state: 'failed', cases, failure: { error: await diagnosed(error, run, target, record), ...rest } };
    outcomes.push(`failed: ${error.actual}`, `passed ${run.repetitions} times when repeated`);
  }
  const reason = `the target is unstable: ${outcomes.join('; ')}`;
  return { state: 'not-exercised', cases: 0, reason, trouble: 'network' };
}

/**
 * Whether the last answer of a failing case is that something was accepted which stays: what a target has taken it has taken,
 * and asking again would only leave as much again.
 */
function isDecided(record: TrialRecord, { address }: Run): boolean {
  const last = (record.failing ?? record.exchanges).at(-1);
  return isKept(address) && last !== undefined && sideEffectOf(last) !== undefined;
}

/** Whether the same case fails in one of the repetitions; one that can't be made counts as no doubt. */
async function failsAgain(plan: CheckPlan, run: Run, target: Target, path: string | undefined): Promise<boolean> {
  const again = { ...run, mostShrinks: 0, ...(path === undefined ? {} : { path }) };
  for (let repetition = 0; repetition < run.repetitions; repetition++) {
    const record = newRecord();
    const { failure } = await plan.attempt(trialOf(target, record), again, record);
    if (failure) return true;
  }
  return run.repetitions === 0;
}

/** Equal texts once, with how often they came. */
function counted(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, same]) =>
    same.length === 1 ? text : `${same.length} times: ${text}`,
  );
}
