import { comparedWay, type Way } from '../../schemas/finding.ts';
import type { Run } from '../../targets/address.ts';
import type { Target } from '../../targets/target.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import type { CheckPlan } from './check-plan.ts';
import { isNearlySpent } from './diagnosis.ts';
import { maskOf } from './mask.ts';
import { trialOf } from './trial.ts';
import { recordBeside, type TrialRecord } from './trial-record.ts';

/** So that it stays a trifle beside its run: the longest that it takes, and that a failure may have taken before it. */
const longestMs = { survey: 20_000, failure: 5_000 };

/** The failure of a check that is settled, and how long it took to fail again. */
interface SettledFailure {
  readonly way: Way;
  readonly tookMs: number;
}

/**
 * Every way in which the examples of a failed check fail, so that two runs can be compared by them; generated cases differ from
 * run to run. The way of its failure alone where it has no examples, or none of them fails; `undefined` where not all of them
 * could be tried.
 */
export async function survey(
  plan: CheckPlan,
  run: Run,
  target: Target,
  record: TrialRecord,
  { way, tookMs }: SettledFailure,
): Promise<readonly Way[] | undefined> {
  const hasSeveral = record.hasItems === true || (plan.examples?.(run) ?? 0) > 1;
  if (!hasSeveral || run.repetitions === 0 || run.path !== undefined) return [comparedWay(way)];
  if (tookMs > longestMs.failure || isNearlySpent(run, target)) return undefined;
  const own = recordBeside(record);
  const met = new Map<string, Way>();
  const endMs = performance.now() + longestMs.survey;
  own.noting = { goesOnAfter: () => performance.now() < endMs, mask: () => maskOf(run, target, own), met };
  const examplesOnly = { ...run, numRuns: 0, mostShrinks: 0 };
  const { failure } = await plan.attempt(trialOf(target, own), examplesOnly, own);
  if (failure && !(failure.error instanceof LeftOut)) return undefined;
  for (const endpoint of own.kept) record.kept.add(endpoint);
  return (met.size > 0 ? [...met.values()] : [way]).map(comparedWay);
}
