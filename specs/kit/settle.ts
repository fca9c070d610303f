import type { Trouble } from '../../contract/values.ts';
import { type Rate, againstNetwork, decided } from '../../judge/rate.ts';
import type { Way } from '../../schemas/finding.ts';
import type { Run } from '../../targets/address.ts';
import { sideEffectOf, isKept } from '../../targets/traffic/interlock.ts';
import { LeftOut, NotExercised } from '../../targets/not-exercised.ts';
import type { Target } from '../../targets/target.ts';
import { acceptedWays, isPassedOver, wayFound } from './noting.ts';
import type { AttemptAtCheck, CheckPlan } from './check-plan.ts';
import { basisOf, hurriedText, isFrail, isHurried } from './awaiting.ts';
import { Deviation } from './deviation.ts';
import { diagnosed, survey } from './diagnosis.ts';
import { trialOf } from './trial.ts';
import { failingCase, type Noting, recordBeside, startAnew, type TrialRecord } from './trial-record.ts';
import { maskOf } from './mask.ts';

/** How a check came out in the end. */
export type Settled =
  | { readonly state: 'passed'; readonly cases: number; readonly flaky: readonly string[] }
  | { readonly state: 'not-exercised'; readonly cases: number; readonly reason: string; readonly trouble: Trouble }
  | { readonly state: 'failed'; readonly cases: number; readonly failure: Failure };

/** A deviation with the case that shows it. */
export interface Failure extends Omit<NonNullable<AttemptAtCheck['failure']>, 'error'> {
  readonly error: Deviation;
  /** The same as one of the ways in which the check fails. */
  readonly way: Way;
  /** Ways that are accepted, after which the check went on. */
  readonly known: readonly Way[];
  /** Every way in which its examples fail; `undefined` where they were not all tried. */
  readonly ways: readonly Way[] | undefined;
  /** How often its case failed, of how many tries; absent where it was not repeated. */
  readonly rate?: Rate;
}

/** How often a check is made that the network disturbs. */
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
 * Makes a check until its outcome is sure. A failure that rests on whole answers stands; it is repeated only to tell whether it comes
 * each time. One that may be the network's is put to a sequential test, and where it is the network's the check begins again; so it
 * does where it could not be made by bad luck. Throws what is neither a deviation nor a want: then the suite itself is broken.
 */
export async function settle(plan: CheckPlan, run: Run, target: Target, record: TrialRecord): Promise<Settled> {
  const outcomes: string[] = [];
  for (let round = 1; round <= mostRounds; round++) {
    const found = await sought(plan, run, target, record);
    const { cases, failure } = found;
    if (!failure) return { state: 'passed', cases, flaky: [...outcomes, ...counted(record.hiccups)] };
    const { error } = failure;
    if (error instanceof NotExercised) {
      if (round < mostRounds && hadBadLuck(record)) continue;
      return notExercised(cases, error);
    }
    if (!(error instanceof Deviation)) throw error;
    delete record.pool;
    delete record.common;
    delete record.standing;
    delete record.gathersIn;
    const settled = await settledFailure(plan, run, target, record, { ...found, failure: { ...failure, error } });
    if (settled instanceof NotExercised) return notExercised(cases, settled);
    if ('error' in settled) return { state: 'failed', cases, failure: settled };
    outcomes.push(`failed: ${error.actual}`, `passed ${settled.passed} times when repeated`);
  }
  const reason = `the target is unstable: ${outcomes.join('; ')}`;
  return { state: 'not-exercised', cases: 0, reason, trouble: 'network' };
}

/** Whether what a check met of the network, or a delivery that was lost, may be why it could not be made. */
function hadBadLuck({ exchanges, hasLost }: TrialRecord): boolean {
  return hasLost || exchanges.some(({ isResent }) => isResent);
}

/** A failure that stands, with all that is told of it; else how often it passed when repeated, or why it accuses nobody. */
async function settledFailure(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  found: Failed,
): Promise<Failure | { readonly passed: number } | NotExercised> {
  const { known, isSeldom } = found;
  const startedMs = performance.now();
  const hasLeft = isKept(run.address) && record.leftBehind > 0;
  const isTold = isDecided(record, run) && basisFound(found.failure.error, record) !== 'resent';
  const repeated = isTold || isSeldom ? undefined : await repetitions(plan, run, target, record, found);
  if (repeated instanceof NotExercised) return repeated;
  if (repeated && 'letGo' in repeated) return { passed: repeated.passed };
  const tookMs = performance.now() - startedMs;
  const { error, ...rest } = repeated?.instead?.failure ?? found.failure;
  if (repeated?.instead) record.failing = { ...failingCase(repeated.instead.record), isSure: true };
  const { exchanges } = failingCase(record);
  const way = wayFound(error, exchanges, maskOf(run, target, record), rest.counterexample);
  const told = await diagnosed(error, run, target, record);
  // A survey would leave as much again, or wait as long again.
  const wasLate = exchanges.some(({ isLate }) => isLate);
  const isInVain = hasLeft || wasLate || isSeldom || told.isAbsentPremise;
  const ways = isInVain ? undefined : await survey(plan, run, target, record, { way, tookMs });
  const rate = repeated && { failed: 1 + repeated.failed, of: 1 + repeated.failed + repeated.passed };
  return { ...rest, error: told, way, known, ways, ...(rate ? { rate } : {}) };
}

/**
 * Whether the last answer of a failing case is that something was accepted which stays: what a target has taken it has taken,
 * and asking again would only leave as much again.
 */
function isDecided(record: TrialRecord, { address }: Run): boolean {
  const last = failingCase(record).exchanges.at(-1);
  return isKept(address) && last !== undefined && sideEffectOf(last) !== undefined;
}

/** An attempt, with what it met of what is accepted. */
interface Sought extends AttemptAtCheck {
  readonly known: readonly Way[];
  /** After which failures the check went on when it was found. */
  readonly goesOnAfter?: Noting['goesOnAfter'];
  /** An accepted failure did not come again, and is known by what was noted of it alone. */
  readonly isSeldom?: true;
}

/** The same where it found a deviation. */
type Failed = Sought & { readonly failure: NonNullable<AttemptAtCheck['failure']> & { readonly error: Deviation } };

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
  const second = await attempted(plan, run, target, record);
  if (!isPassedOver(second.failure?.error)) return { ...second, known };
  if (!first.sure) return { ...second, known: [] };
  const { error, exchanges } = first.sure;
  record.failing = { exchanges, missed: new Map(), isSure: true };
  return { cases: first.cases, failure: { error }, known, isSeldom: true };
}

/** Makes a check once; with `goesOnAfter` it goes on after such failures, and gives the ways that it met. */
async function attempted(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  goesOnAfter?: Noting['goesOnAfter'],
): Promise<AttemptAtCheck & { readonly met: readonly Way[]; readonly sure?: Noting['sure'] }> {
  startAnew(record);
  const noting: Noting = { goesOnAfter: () => false, mask: () => maskOf(run, target, record), met: new Map() };
  if (goesOnAfter) record.noting = { ...noting, goesOnAfter };
  const seed = `${run.seed} ${plan.clause} ${plan.title}`;
  const attempt = await plan.attempt(trialOf(target, record, seed), run, record);
  const { met, sure } = record.noting ?? noting;
  return { ...attempt, met: [...met.values()], ...(sure ? { sure } : {}) };
}

function notExercised(cases: number, { message: reason, trouble }: NotExercised): Settled {
  return { state: 'not-exercised', cases, reason, trouble };
}

/** How often a case failed and passed when it was repeated. */
interface Repetitions {
  readonly failed: number;
  readonly passed: number;
  /** The repetition that tells more than the failing case, in whose answers something was sent twice. */
  readonly instead?: { readonly failure: Failed['failure']; readonly record: TrialRecord };
}

/**
 * Repeats a failing case. One that is the target's failure until it fails once more, to tell whether it comes each time; one that may
 * be the network's until the sequential test is decided: then it stands, or is let go. Why it accuses nobody, where it is in doubt.
 * The twins of a request in trouble are sent between, by `sendFairly`: what they suffer as well is waited out and fails nothing.
 */
async function repetitions(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  { cases, failure: { error: first, path }, goesOnAfter }: Failed,
): Promise<Repetitions | { readonly letGo: true; readonly passed: number } | NotExercised | undefined> {
  if (run.repetitions === 0) return undefined;
  const firstBasis = basisFound(first, record);
  let isSure = firstBasis === 'answers';
  let instead: Repetitions['instead'];
  const again = { ...run, mostShrinks: 0, ...(path === undefined ? {} : { path }) };
  let want: NotExercised | undefined;
  let untold = 0;
  for (const seen = { failed: 0, passed: 0 }; ;) {
    const own = recordBeside(record, true);
    const { failure } = await attempted(plan, again, target, own, goesOnAfter);
    want = failure?.error instanceof NotExercised ? failure.error : undefined;
    const doubt = doubtOf(record, own, want, target);
    if (doubt) return doubt;
    const error = failure?.error;
    const basis = error instanceof Deviation ? basisFound(error, own) : undefined;
    if (firstBasis === 'resent' && basis !== 'resent' && failure && error instanceof Deviation)
      instead = { failure: { ...failure, error }, record: own };
    isSure ||= basis === 'answers';
    // A case that is left out when it comes says no more than those that were left out before: the others have held.
    const isLeftOut = want instanceof LeftOut && cases > 1;
    // Where an item more proves nothing, it may be the one that failed.
    const isUntold = !failure && own.itemsLeftOut > record.itemsLeftOut;
    if ((want && !isLeftOut) || basis === 'resent' || isUntold) untold += 1;
    else seen[failure && !isLeftOut ? 'failed' : 'passed'] += 1;
    const isTold = isSure && (seen.failed > 0 || seen.passed + untold >= run.repetitions);
    const decision = isSure ? undefined : decided(againstNetwork, seen);
    if (isTold || decision === 'wrong') return { ...seen, ...(instead ? { instead } : {}) };
    if (decision === 'honest') return { letGo: true, passed: seen.passed };
    if (untold >= mostUntold) return want ?? { letGo: true, passed: seen.passed };
  }
}

/** Repetitions that may tell nothing, since they could not be made or something was sent twice in them. */
const mostUntold = 5;

function basisFound(error: Deviation, record: TrialRecord): ReturnType<typeof basisOf> {
  return record.failing?.isSure ? 'answers' : basisOf(error, { ...record, ...failingCase(record) });
}

/**
 * Why a failure accuses nobody though it was not seen to pass: what it missed was hardly waited for, both times, or it shows
 * what a target shows as well that was going down, and by now is lost.
 */
function doubtOf(
  first: TrialRecord,
  again: TrialRecord,
  want: NotExercised | undefined,
  { ledger }: Target,
): NotExercised | undefined {
  const isHurriedAgain = want !== undefined || isHurried(failingCase(again).missed);
  if (isHurried(failingCase(first).missed) && isHurriedAgain) return new NotExercised(hurriedText);
  return ledger.guard.halted()?.kind === 'lost' && isFrailFailure(first) ? want : undefined;
}

/** Whether the failing case shows what a target that is going down shows as well. */
export function isFrailFailure(record: TrialRecord): boolean {
  const { exchanges, missed } = failingCase(record);
  return isFrail(exchanges, missed);
}

/** Equal texts once, with how often they came. */
function counted(texts: readonly string[]): string[] {
  return [...Map.groupBy(texts, (text) => text)].map(([text, same]) =>
    same.length === 1 ? text : `${same.length} times: ${text}`,
  );
}
