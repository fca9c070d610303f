import type { CheckOutcome } from '../schemas/results.ts';
import type { Mutant } from './mutant.ts';

/** Whether a clause that a mutant breaks was seen to be broken. */
export interface Catch {
  readonly mutant: string;
  readonly clause: string;
  /** The checks that failed; none where the mutant was missed. */
  readonly caughtBy: readonly string[];
}

/** For every mutant and clause that it breaks, the checks of the clause that failed. */
export function catches(
  mutants: readonly Mutant[],
  outcomes: ReadonlyMap<string, readonly CheckOutcome[]>,
): readonly Catch[] {
  return mutants.flatMap(({ id, breaks }) =>
    breaks.map((clause) => ({
      mutant: id,
      clause,
      caughtBy: (outcomes.get(id) ?? [])
        .filter((outcome) => outcome.clause === clause && hasFailed(outcome))
        .map(titleOf),
    })),
  );
}

/** The checks that ran and failed for no mutant: nobody has seen that they can. */
export function neverFailed(outcomes: ReadonlyMap<string, readonly CheckOutcome[]>): readonly string[] {
  const all = [...outcomes.values()].flat();
  const named = ({ clause, result }: CheckOutcome): string => `${clause}: ${result.name}`;
  const failed = new Set(all.filter(hasFailed).map(named));
  const ran = all.filter(({ result }) => result.state !== 'not-exercised');
  return [...new Set(ran.map(named))].filter((name) => !failed.has(name));
}

/** A check that only found broken what it builds on has not come to its own rule, so it has caught nothing. */
function hasFailed({ result }: CheckOutcome): boolean {
  return result.state === 'failed' && result.error?.premise !== true;
}

function titleOf({ result }: CheckOutcome): string {
  return result.name;
}
