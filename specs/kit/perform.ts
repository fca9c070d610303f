import { hash } from 'node:crypto';
import { rateText } from '../../judge/rate.ts';
import type { Mask } from '../../trace/people/words-mask.ts';
import type { Veil } from '../../trace/people/veil.ts';
import type { CheckOutcome, CheckResult } from '../../schemas/results.ts';
import type { ObservedShape } from '../../schemas/observed.ts';
import type { Lack, Run, TargetAddress } from '../../targets/address.ts';
import { clockStarts } from '../../targets/applications.ts';
import { openTarget } from '../../targets/target.ts';
import { isAbreast, type CheckPlan } from './check-plan.ts';
import { evidenceIn, type Most } from './shown.ts';
import { isFrailFailure, settleUnlessHalted, type Failure, type Settled } from './settle.ts';
import { callsWithOthers, gatheringIn } from './gathered.ts';
import { commonCallersAt, poolAt } from './pooled.ts';
import { openRecorder } from './recorder.ts';
import { askedAgain, shownNode } from './nodes.ts';
import { receiveOthers, recordDelivery } from './deliveries.ts';
import { newRecord, ownCost, type TrialRecord } from './trial-record.ts';
import { maskOf, veilOf } from './mask.ts';

/** What the evidence of a failure keeps: the last exchanges of the failing case, and the last deliveries. */
const ofFailure: Most = { exchanges: 50, deliveries: 20, longestBody: 20_000, inAll: 1_000_000 };
/** The same of a check that passed: a sample of what it did. */
const ofPass: Most = { exchanges: 1, deliveries: 1, longestBody: 3_000, inAll: 40_000 };
const longestCounterexample = 4_000;
const mostFlaky = 20;
/** Longest text of a finding or a reason: whole answers of the target stand in the evidence. */
const longestText = 20_000;

/** How many checks this thread is making. */
let underWay = 0;

/** Makes a check against the target of a run. Throws where the suite itself is broken. */
export async function perform(plan: CheckPlan, run: Run, file: string): Promise<readonly CheckOutcome[]> {
  underWay += 1;
  try {
    return await performed(plan, run, file);
  } finally {
    underWay -= 1;
  }
}

async function performed(plan: CheckPlan, run: Run, file: string): Promise<readonly CheckOutcome[]> {
  const started = performance.now();
  const target = openTarget(addressFor(plan, run), run.traffic, {
    delivery: (arrival, answer) => recordDelivery(record, target, arrival, answer),
    steering: (done) => record.recorder.steering(done),
  });
  const recorder = openRecorder(nameOf(plan, file), run.trace, {
    veil: () => veilOf(run, target, record),
    mask: () => maskOf(run, target, record),
    learning: target.learning,
  });
  const record: TrialRecord = {
    ...newRecord(false, recorder),
    isAbreast: isAbreast(plan, run),
    clause: plan.clause,
    pool: poolAt(run, plan.pool),
    common: plan.pool !== undefined || callsWithOthers(run, plan.needs) ? commonCallersAt(run) : undefined,
    standing: gatheringIn(run) === undefined ? undefined : commonCallersAt(run),
    gathersIn: gatheringIn(run),
  };
  try {
    const lack =
      plan.needs.map((need) => target.missing(need)).find((missing) => missing !== undefined) ?? unboughtIn(run, plan);
    const settled: Settled = lack
      ? { state: 'not-exercised', cases: 0, ...lack }
      : await settleUnlessHalted(plan, run, target, record);
    const atNode = run.mostAgain === undefined ? undefined : await askedAgain(run, target, record);
    const hidden = { mask: maskOf(run, target, record), veil: veilOf(run, target, record) };
    const { mask } = hidden;
    if (settled.state === 'passed' && record.assertions === 0) {
      throw new Error(`${plan.clause}: "${plan.title}" asserted nothing`);
    }
    const outcome: CheckOutcome = {
      clause: plan.clause,
      secrets: [...target.secrets.keys()],
      kept: [...record.kept],
      ...(atNode ? { atNode: { ...atNode, node: shownNode(atNode.node, hidden.veil) } } : {}),
      shapes: record.shapes.map((shape) => maskedShape(shape, mask)),
      ...fieldsShown(record, mask),
      order: [...record.order.values()],
      ladders: record.ladders,
      spent: { own: ownCost(target, record), shares: [...record.shares] },
      ...(settled.state === 'failed' && isFrailFailure(record) ? { frailAtMs: Date.now() } : {}),
      result: {
        name: plan.title,
        file,
        durationMs: Math.round(performance.now() - started),
        cases: settled.cases,
        ...(record.distinct.size > 0 ? { distinctCases: record.distinct.size } : {}),
        assertions: record.assertions,
        exchangesMade: record.exchangesMade,
        ...endingOf(settled, plan, run, record, hidden),
        ...(isUnbought(run, plan) && settled.state === 'not-exercised' ? { unbought: true } : {}),
      },
    };
    // Last, so that they are no evidence of this check; and alone, since a check beside it may be about to take its own.
    if (underWay === 1) await receiveOthers(target, record);
    return [outcome];
  } finally {
    await target.close();
    recorder.flush();
  }
}

/** Of so many checks one keeps its connections, drawn by the seed: what goes wrong only on one that was used often is to show, too. */
const keepingOneIn = 4;

/** The target's address as a check is to reach it, and the time at which its clocks begin: with another seed another one. */
function addressFor({ clause, title }: CheckPlan, { address, seed }: Run): TargetAddress {
  const [drawn = 0, start = 0] = hash('sha256', `${seed} ${clause} ${title}`, 'buffer');
  const timed = { ...address, clockStart: clockStarts[start % clockStarts.length] ?? clockStarts[0] };
  return address.perConnection === undefined || drawn % keepingOneIn > 0 ? timed : { ...timed, perConnection: 0 };
}

/** That the budget of a run does not reach as far as a check. */
function unboughtIn(run: Run, plan: CheckPlan): Lack | undefined {
  if (!isUnbought(run, plan)) return undefined;
  return {
    reason: `the budget of ${run.traffic.budget} requests for this run does not reach as far`,
    trouble: 'settings',
  };
}

function isUnbought({ unbought }: Run, { clause, title }: CheckPlan): boolean {
  return unbought?.includes(`${clause}: ${title}`) ?? false;
}

/** What a check is called in a trace. */
function nameOf({ clause, title }: CheckPlan, file: string): string {
  return `${file} ${clause}: ${title}`;
}

/** The fields of events, without names that tell a secret. */
function fieldsShown({ verdictFields }: TrialRecord, mask: Mask): Pick<CheckOutcome, 'verdictFields'> {
  const shown = Object.entries(verdictFields).map(
    ([kind, names]) => [mask(kind), names.filter((name) => mask(name) === name)] as const,
  );
  return shown.length === 0 ? {} : { verdictFields: Object.fromEntries(shown) };
}

type Ending = Omit<
  CheckResult,
  'name' | 'file' | 'durationMs' | 'cases' | 'distinctCases' | 'assertions' | 'exchangesMade'
>;

/** What hides in the free texts of a check, and in its evidence. */
interface Hidden {
  readonly mask: Mask;
  readonly veil: Veil;
}

function endingOf(settled: Settled, plan: CheckPlan, run: Run, record: TrialRecord, hidden: Hidden): Ending {
  const { mask, veil } = hidden;
  switch (settled.state) {
    case 'passed':
      return {
        state: 'passed',
        ...(settled.flaky.length === 0
          ? {}
          : { flaky: settled.flaky.slice(0, mostFlaky).map((text) => cut(mask(text))) }),
        exchanges: evidenceIn(record, veil, ofPass),
      };
    case 'not-exercised':
      return { state: 'not-exercised', reason: cut(mask(settled.reason)), trouble: settled.trouble };
    case 'failed':
      return { state: 'failed', ...failureOf(settled.failure, plan, run, record, hidden) };
  }
}

function failureOf(
  { error, counterexample, path, way, known, ways, rate }: Failure,
  plan: CheckPlan,
  run: Run,
  record: TrialRecord,
  { mask, veil }: Hidden,
): Omit<Ending, 'state'> {
  const ofCase = path === undefined ? '' : ` --seed ${run.seed} --path ${path}`;
  return {
    error: {
      title: plan.title,
      expected: cut(mask(error.expected)),
      actual: cut(mask(error.actual)) + intermittently(rate),
      ...(error.hint === undefined ? {} : { hint: cut(mask(error.hint)) }),
      ...(error.isPremise ? { premise: true } : {}),
      ...(rate && rate.of > 1 && rate.failed === rate.of ? { again: rate.of - 1 } : {}),
    },
    ...(counterexample === undefined ? {} : { counterexample: cut(mask(counterexample), longestCounterexample) }),
    ...(way.endpoint === undefined ? {} : { endpoint: way.endpoint }),
    ...(known.length === 0 ? {} : { known: [...known] }),
    ...(ways === undefined ? {} : { ways: [...ways] }),
    replay: `npm test -- --clause ${plan.clause}${ofCase} --check ${shellWord(plan.title)}`,
    exchanges: evidenceIn(record, veil, ofFailure),
  };
}

/** That a failure does not come each time, and how often. */
function intermittently(rate: Failure['rate']): string {
  return rate === undefined || rate.failed === rate.of ? '' : `, ${rateText(rate, 'tries')}`;
}

/** The start of a text. Only what is masked is cut: half a secret is no longer recognised. */
function cut(masked: string, longest = longestText): string {
  return masked.slice(0, longest);
}

/** The names of members are the target's texts, too. */
function maskedShape(shape: ObservedShape, mask: Mask): ObservedShape {
  const fields = shape.fields.map((field) => ({ ...field, pointer: mask(field.pointer) }));
  return { ...shape, contentTypes: shape.contentTypes.map(mask), fields };
}

/** A text as one word of a shell, which leaves what stands in single quotes alone. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
