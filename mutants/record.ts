import { type MutantsRecord, faultsOfMutantsRecord, isMutantsRecord } from '../schemas/stored.ts';
import type { CheckOutcome } from '../schemas/results.ts';
import type { CheckName } from '../targets/address.ts';
import type { Mutant } from './mutant.ts';

/** What a run of the mutants came to. */
interface MutantsRun extends Pick<MutantsRecord, 'at' | 'suite' | 'seed' | 'mutants' | 'variants'> {
  readonly catches: readonly Catch[];
  /** One line a false accusation. */
  readonly accused: readonly string[];
}

/** The text of `mutants.json`. Throws where it would not fit its schema. */
export function mutantsText({ catches, accused, ...run }: MutantsRun): string {
  const record = { format: 'nfe-conformance/mutants@1', ...run, accused: accused.length, catches };
  if (isMutantsRecord(record)) return `${JSON.stringify(record, undefined, 2)}\n`;
  throw new Error(`mutants.json would not fit its schema: ${faultsOfMutantsRecord(record).join('; ')}`);
}

/** Whether a clause that a mutant breaks was seen to be broken. */
interface Catch {
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

/** For every mutant, the clauses that were seen broken besides those that it is said to break. */
export function besides(
  mutants: readonly Mutant[],
  outcomes: ReadonlyMap<string, readonly CheckOutcome[]>,
): readonly { readonly mutant: string; readonly clauses: readonly string[] }[] {
  return mutants.flatMap(({ id, breaks }) => {
    const failed = (outcomes.get(id) ?? []).filter(hasFailed).map(({ clause }) => clause);
    const clauses = [...new Set(failed)].filter((clause) => !breaks.some((own) => own === clause));
    return clauses.length === 0 ? [] : [{ mutant: id, clauses }];
  });
}

/** The checks that ran and failed for no mutant: nobody has seen that they can. */
export function neverFailed(outcomes: ReadonlyMap<string, readonly CheckOutcome[]>): readonly string[] {
  const all = [...outcomes.values()].flat();
  const failed = new Set(all.filter(hasFailed).map(nameOf));
  const ran = all.filter(({ result }) => result.state !== 'not-exercised');
  return [...new Set(ran.map(nameOf))].filter((name) => !failed.has(name));
}

/** The checks that a few cases told nothing of, by mutant: all of a clause that none failed for, and those that failed for no mutant. */
export function untold(
  mutants: readonly Mutant[],
  outcomes: ReadonlyMap<string, readonly CheckOutcome[]>,
): ReadonlyMap<string, readonly CheckName[]> {
  const unproven = new Set(neverFailed(outcomes));
  const missed = catches(mutants, outcomes).filter(({ caughtBy }) => caughtBy.length === 0);
  const isMissed = (mutant: string, clause: string): boolean =>
    missed.some((one) => one.mutant === mutant && one.clause === clause);
  const checksOf = ({ id }: Mutant): readonly CheckName[] =>
    (outcomes.get(id) ?? [])
      .filter((outcome) => isMissed(id, outcome.clause) || unproven.has(nameOf(outcome)))
      .map(({ clause, result }) => ({ clause, check: result.name }));
  return new Map(mutants.map((mutant) => [mutant.id, checksOf(mutant)]));
}

function nameOf({ clause, result }: CheckOutcome): string {
  return `${clause}: ${result.name}`;
}

/** A check that only found broken what it builds on has not come to its own rule, so it has caught nothing. */
function hasFailed({ result }: CheckOutcome): boolean {
  return result.state === 'failed' && result.error?.premise !== true;
}

function titleOf({ result }: CheckOutcome): string {
  return result.name;
}
