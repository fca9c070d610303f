import { evidenceOf } from '../../client/evidence.ts';
import { maskFor, type Mask } from '../../client/mask.ts';
import type { CheckOutcome, CheckResult } from '../../schemas/results.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import { openTarget } from '../../targets/target.ts';
import type { Attempt, CheckPlan } from './check.ts';
import { Deviation } from './deviation.ts';
import { trialOf, type TrialRecord } from './trial.ts';

/** Exchanges that the evidence of a failure keeps: the last ones of the failing case. */
const mostExchanges = 10;
const longestCounterexample = 4_000;

/** Makes a check against the target of a run. Throws what is neither a deviation nor a want: then the suite itself is broken. */
export async function perform(plan: CheckPlan, run: Run, file: string): Promise<CheckOutcome> {
  const started = performance.now();
  const target = openTarget(run.address);
  const record: TrialRecord = { assertions: 0, requests: 0, exchanges: [] };
  const finish = (cases: number, ending: Ending): CheckOutcome => ({
    clause: plan.clause,
    requests: record.requests,
    result: {
      name: plan.title,
      file,
      durationMs: Math.round(performance.now() - started),
      cases,
      assertions: record.assertions,
      ...ending,
    },
  });
  try {
    const reason = plan.needs.map((need) => target.missing(need)).find((missing) => missing !== undefined);
    if (reason !== undefined) return finish(0, { state: 'not-exercised', reason });
    const attempt = await plan.attempt(trialOf(target, record), run, record);
    const { failure } = attempt;
    const mask = maskFor(new Map([...run.secrets, ...target.secrets]));
    if (failure?.error instanceof NotExercised) {
      return finish(attempt.cases, { state: 'not-exercised', reason: mask(failure.error.message) });
    }
    if (failure) return finish(attempt.cases, failureOf(plan, run, failure, record, mask));
    if (record.assertions === 0) throw new Error(`${plan.clause}: "${plan.title}" asserted nothing`);
    return finish(attempt.cases, { state: 'passed' });
  } finally {
    await target.close();
  }
}

type Ending = Omit<CheckResult, 'name' | 'file' | 'durationMs' | 'cases' | 'assertions'>;

function failureOf(
  plan: CheckPlan,
  run: Run,
  failure: NonNullable<Attempt['failure']>,
  record: TrialRecord,
  mask: Mask,
): Ending {
  const { error, counterexample, path } = failure;
  if (!(error instanceof Deviation)) throw error;
  const replay = [`npm test -- --clause ${plan.clause}`];
  if (path !== undefined) replay.push(`--seed ${run.seed} --path ${path} --check "${plan.title}"`);
  return {
    state: 'failed',
    error: {
      title: plan.title,
      expected: mask(error.expected),
      actual: mask(error.actual),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
      ...(error.twin ? { twin: true } : {}),
    },
    ...(counterexample === undefined ? {} : { counterexample: mask(counterexample).slice(0, longestCounterexample) }),
    replay: replay.join(' '),
    exchanges: (record.failing ?? record.exchanges).slice(-mostExchanges).map((exchange) => evidenceOf(exchange, mask)),
  };
}
