import type { CheckOutcome } from '../../schemas/results.ts';

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
