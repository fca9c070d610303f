import type { Finding } from '../../schemas/finding.ts';
import type { CheckResult, Results } from '../../schemas/results.ts';
import { isRepeatable, storyScript } from './story-script.ts';

/** The script that repeats a finding: the case of the first check that shows it and can be repeated; `undefined` where none can. */
export function scriptOfFinding({ evidence }: Finding, { clauses, target }: Results): string | undefined {
  const shown = evidence.flatMap(({ clause, check }) => {
    const found = clauses.find(({ id }) => id === clause)?.checks.find(({ name }) => name === check);
    return found ? [{ clause, check: found }] : [];
  });
  const inOrder = shown.toSorted((one, other) => Number(one.check.inPassing ?? false) - Number(other.check.inPassing ?? false));
  const told = inOrder.find(({ check }) => check.story && isRepeatable(check.story));
  return told && scriptOfCheck(told.clause, told.check, target.baseUrl);
}

/** The script that repeats the failing case of a check; `undefined` where that can't be. */
export function scriptOfCheck(clause: string, { story, error, replay }: CheckResult, baseUrl: string): string | undefined {
  if (!story || !error) return undefined;
  const { expected, actual } = error;
  return storyScript(story, { baseUrl, clause, expected, actual, ...(replay === undefined ? {} : { replay }) });
}
