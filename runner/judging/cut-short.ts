import { isJudged } from '../../contract/catalogue.ts';
import type { Clause } from '../../contract/clause.ts';
import type { Halt } from '../../targets/traffic/guard.ts';
import { errorResults, judgeSoFar, type RunFacts } from '../../reports/judge.ts';
import type { CheckOutcome, ClauseResult, Results } from '../../schemas/results.ts';
import { troubleOfHalt } from '../../targets/outage.ts';

/** The reason of a clause that a run did not come to before somebody ended it. */
export const interruptedReason = 'the run was interrupted before its check ended';

/** What a run came to until somebody ended it. */
interface SoFar {
  readonly outcomes: readonly CheckOutcome[];
  /** Ids of the clauses whose checks have all ended. */
  readonly done: ReadonlySet<string>;
}

/** The results of a run that somebody ended before its time: what was judged until then is kept. */
export function interruptedResults(
  facts: RunFacts,
  clauses: readonly Clause[],
  { outcomes, done }: SoFar,
  signal: NodeJS.Signals,
): Results {
  const why = { reason: interruptedReason, trouble: troubleOfHalt.interrupted };
  const judged = judgeSoFar(facts, clauses, outcomes, { done, why });
  const all = clauses.filter(isJudged).length;
  const message = `interrupted (${signal}) after ${countJudged(judged)} of ${all} clauses were judged: run it again for a verdict`;
  return errorResults(facts, message, troubleOfHalt.interrupted, judged);
}

/**
 * The results of a run that may have gone no further: an error where the target was lost, or limited the rate for too long,
 * unless it had been seen to break a clause that counts. Any other run is what it is; then `warn` is told what cut it short.
 */
export function haltedResults(
  facts: RunFacts,
  results: Results,
  halt: Halt | undefined,
  warn: (line: string) => void,
): Results {
  if (!halt) return results;
  const { kind } = halt;
  const isError = (kind === 'lost' || kind === 'limited') && results.verdict !== 'nonconformant';
  if (isError) return errorResults(facts, haltText(results, halt), troubleOfHalt[kind], results.clauses);
  warn(haltText(results, halt));
  return results;
}

/** What is said of a run that went no further, in one line: why, how far it came, and what to do. */
function haltText({ clauses }: Results, { kind, reason }: Halt): string {
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
