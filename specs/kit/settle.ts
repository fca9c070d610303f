import type { Trouble } from '../../contract/trouble.ts';
import type { Way } from '../../schemas/way.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Target } from '../../targets/target.ts';
import { acceptedWays, isPassedOver } from './accepted.ts';
import type { Attempt, CheckPlan } from './check.ts';
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

/**
 * Makes a check until its outcome is sure. A failure is repeated with the same case: if it fails once more it stands; if not,
 * it was flaky and the check begins again. Throws what is neither a deviation nor a want: then the suite itself is broken.
 */
export async function settle(plan: CheckPlan, run: Run, target: Target, record: TrialRecord): Promise<Settled> {
  const outcomes: string[] = [];
  const unrepeated = (actual: string): void => {
    outcomes.push(`failed: ${actual}`, `passed ${run.repetitions} times when repeated`);
  };
  for (let round = 0; round < mostRounds; round++) {
    const found = await sought(plan, run, target, record);
    const { cases, failure, known } = found;
    if (!failure && !known[0]) return { state: 'passed', cases, flaky: [...outcomes, ...counted(record.hiccups)] };
    const error = failure?.error;
    if (error instanceof NotExercised)
      return { state: 'not-exercised', cases, reason: error.message, trouble: error.trouble };
    if (failure && !(error instanceof Deviation)) throw error;
    const settled = await settledFailure(plan, run, target, record, found);
    if (settled) return { state: 'failed', cases, failure: settled };
    unrepeated(error instanceof Deviation ? error.actual : (known[0]?.actual ?? ''));
  }
  const reason = `the target is unstable: ${outcomes.join('; ')}`;
  return { state: 'not-exercised', cases: 0, reason, trouble: 'network' };
}

/** The failure that was found, if it comes again, with all that is told of it. */
async function settledFailure(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  { failure, known, goesOnAfter }: Sought,
): Promise<Failure | undefined> {
  const { error, ...rest } = failure ?? { error: undefined };
  if (!(error instanceof Deviation)) return undefined;
  const startedMs = performance.now();
  if (!(await failsAgain(plan, run, target, failure?.path, goesOnAfter))) return undefined;
  const tookMs = performance.now() - startedMs;
  const exchanges = record.failing ?? record.exchanges;
  const way = wayFound(error, exchanges, maskOf(run, target, record), failure?.counterexample);
  const told = await diagnosed(error, run, target, record);
  return { ...rest, error: told, way, known, ways: await survey(plan, run, target, record, { way, tookMs }) };
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
  const attempt = await plan.attempt(trialOf(target, record), run, record);
  return { ...attempt, met: [...met.values()] };
}

/** Whether the same case fails in one of the repetitions; one that can't be made counts as no doubt. */
async function failsAgain(
  plan: CheckPlan,
  run: Run,
  target: Target,
  path: string | undefined,
  goesOnAfter: Noting['goesOnAfter'] | undefined,
): Promise<boolean> {
  const again = { ...run, mostShrinks: 0, ...(path === undefined ? {} : { path }) };
  for (let repetition = 0; repetition < run.repetitions; repetition++) {
    const { failure } = await attempted(plan, again, target, newRecord(), goesOnAfter);
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
