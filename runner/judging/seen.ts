import { boundOf } from '../../judge/rate.ts';
import type { Tally } from '../../judge/tally.ts';
import type { CheckOutcome, CheckResult, Observations } from '../../schemas/results.ts';

/**
 * How often each clause was seen kept and broken: by what passed by, each answer and delivery once; where records tell of less,
 * by the cases of its checks.
 */
export function seenOf(
  outcomes: readonly CheckOutcome[],
  tallies: ReadonlyMap<string, Pick<Tally, 'right' | 'records' | 'over'>>,
): Record<string, Observations> {
  const byClause = Map.groupBy(outcomes, ({ clause }) => clause);
  const ofChecks = [...byClause].map(
    ([clause, own]) => [clause, countedCases(own.map(({ result }) => result))] as const,
  );
  const ofRecords = [...tallies].map(([clause, { right, records, over }]) => {
    const counts = { right, wrong: records?.size ?? 0 };
    return [clause, over.length === 0 ? counts : { ...counts, over: [...over] }] as const;
  });
  const seen = new Map<string, Omit<Observations, 'bound95'>>(ofChecks);
  for (const [clause, counts] of ofRecords) {
    const cases = seen.get(clause);
    if (cases === undefined || counts.wrong > 0 || counts.right >= cases.right) seen.set(clause, counts);
  }
  return Object.fromEntries(
    [...seen]
      .filter(([, { right, wrong }]) => right + wrong > 0)
      .map(([clause, counts]) => [clause, { ...counts, bound95: boundIn(counts) }]),
  );
}

function boundIn({ right, wrong }: Pick<Observations, 'right' | 'wrong'>): number {
  return Number(boundOf({ failed: wrong, of: right + wrong }).toPrecision(3));
}

/** The cases of checks that came to something; of a check that failed the last one is the one that did. */
function countedCases(checks: readonly CheckResult[]): Pick<Observations, 'right' | 'wrong'> {
  const own = checks.filter(({ state, inPassing }) => state !== 'not-exercised' && inPassing === undefined);
  const wrong = own.filter(({ state }) => state === 'failed').length;
  const cases = own.reduce((sum, { cases: made, distinctCases = made }) => sum + Math.max(1, distinctCases), 0);
  return { right: Math.max(0, cases - wrong), wrong };
}
