import { isJudged } from '../../contract/catalogue.ts';
import type { Clause } from '../../contract/clause.ts';
import type { Halt } from '../../targets/traffic/guard.ts';
import { errorResults, judge, judgeSoFar, type RunFacts } from '../../reports/judge.ts';
import type { CheckOutcome, ClauseResult, Results } from '../../schemas/results.ts';
import { troubleOfHalt } from '../../targets/outage.ts';

/** The reason of a clause that a run did not come to before somebody ended it. */
export const interruptedReason = 'the run was interrupted before its check ended';

/** What came of a run, and how it ended. */
interface Came {
  readonly outcomes: readonly CheckOutcome[];
  /** Why it went no further by itself. */
  readonly halt?: Halt | undefined;
  /** Somebody ended it before its time, when the checks of these clauses had all ended. */
  readonly interrupted?: { readonly signal: NodeJS.Signals; readonly done: ReadonlySet<string> } | undefined;
  /** What broke in the suite itself. */
  readonly fault?: string | undefined;
}

/** The results of a run. */
interface RunResults {
  readonly results: Results;
  /** What cut it short although its verdict stands, in one line. */
  readonly warning?: string;
}

/**
 * The results of a run, however it ended: an error where somebody or the suite itself ended it, and where the target was lost, or limited
 * the rate for too long, or never got as far as a clause, unless it had been seen to break a clause that counts. Any other run is what its
 * checks came to.
 */
export function runResults(facts: RunFacts, clauses: readonly Clause[], came: Came): RunResults {
  const { outcomes, interrupted, fault } = came;
  if (interrupted) return { results: interruptedResults(facts, clauses, outcomes, interrupted) };
  if (fault !== undefined) return { results: errorResults(facts, fault, 'suite') };
  const results = judge(facts, clauses, outcomes);
  const halt = came.halt ?? neverReached(results);
  if (!halt) return { results };
  const told = haltText(results, halt);
  const isError = (halt.kind === 'lost' || halt.kind === 'limited') && results.verdict !== 'nonconformant';
  if (!isError) return { results, warning: told };
  return { results: errorResults(facts, told, troubleOfHalt[halt.kind], results.clauses) };
}

/** That no clause was judged, where the way to the target kept a check from it. */
function neverReached({ clauses }: Results): Omit<Halt, 'atMs'> | undefined {
  const lost = clauses.flatMap(({ checks }) => checks).find(({ trouble }) => trouble === 'network');
  return lost?.reason !== undefined && countJudged(clauses) === 0 ? { kind: 'lost', reason: lost.reason } : undefined;
}

/** What was judged until then is kept. */
function interruptedResults(
  facts: RunFacts,
  clauses: readonly Clause[],
  outcomes: readonly CheckOutcome[],
  { signal, done }: NonNullable<Came['interrupted']>,
): Results {
  const why = { reason: interruptedReason, trouble: troubleOfHalt.interrupted };
  const judged = judgeSoFar(facts, clauses, outcomes, { done, why });
  const all = clauses.filter(isJudged).length;
  const message = `interrupted (${signal}) after ${countJudged(judged)} of ${all} clauses were judged: run it again for a verdict`;
  return errorResults(facts, message, troubleOfHalt.interrupted, judged);
}

/** What is said of a run that went no further, in one line: why, how far it came, and what to do. */
function haltText({ clauses }: Results, { kind, reason }: Omit<Halt, 'atMs'>): string {
  const all = clauses.filter(({ verdict }) => verdict !== 'unobservable').length;
  const judged = `${reason}; ${countJudged(clauses)} of ${all} clauses were judged before`;
  return kind === 'lost' ? `${judged}: see whether the target still runs and is in reach, then run again` : judged;
}

function countJudged(clauses: readonly ClauseResult[]): number {
  return clauses.filter(
    ({ verdict }) => verdict !== 'not-exercised' && verdict !== 'blocked' && verdict !== 'unobservable',
  ).length;
}

/** How long before and after it is found gone what a target answers may come of that. */
const goingDownMs = 10_000;

/**
 * The outcomes, but that a failure accuses nobody which shows what a target that is going down shows as well, where the target
 * was gone about then. `outagesMs`: when outages began, in Unix milliseconds.
 */
export function withoutDyingAnswers(
  outcomes: readonly CheckOutcome[],
  outagesMs: readonly number[],
): readonly CheckOutcome[] {
  return outcomes.map((outcome) => {
    const { frailAtMs } = outcome;
    const outageMs = outagesMs.find((startMs) => Math.abs((frailAtMs ?? 0) - startMs) < goingDownMs);
    return outageMs === undefined ? outcome : withdrawn(outcome, outageMs);
  });
}

function withdrawn(outcome: CheckOutcome, outageMs: number): CheckOutcome {
  const { name, file, durationMs, cases, assertions, exchangesMade, error } = outcome.result;
  const at = new Date(outageMs).toISOString().slice(11, 19);
  const reason = `the target was gone from ${at} UTC on, and may have been going down: ${error?.actual ?? 'it failed'}`;
  return {
    ...outcome,
    result: {
      name,
      file,
      durationMs,
      cases,
      assertions,
      ...(exchangesMade === undefined ? {} : { exchangesMade }),
      state: 'not-exercised',
      reason,
      trouble: 'network',
    },
  };
}
