import { entriesFor } from '../../contract/catalogue.ts';
import { isCovering } from '../../schemas/finding.ts';
import type { Run } from '../../targets/address.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { CheckPlan } from './check-plan.ts';
import type { Noting } from './trial-record.ts';

/**
 * The ways of failing that the known deviations accept of a check; `undefined` where they name none of its clause, and where an
 * entry accepts every one, so that there is no other to look for.
 */
export function acceptedWays({ clause, title }: CheckPlan, run: Run): Noting['goesOnAfter'] | undefined {
  const entries = entriesFor(run.knownDeviations ?? {}, clause).filter(
    ({ check }) => check === undefined || check === title,
  );
  const isWhole = entries.some((entry) => entry.endpoint === undefined && entry.case === undefined);
  if (entries.length === 0 || isWhole) return undefined;
  return (way) => entries.some((entry) => isCovering(entry, title, way));
}

/** Whether an attempt ended well, or for a want: neither is a failure that is not accepted, nor a fault of the suite. */
export function isPassedOver(error: unknown): boolean {
  return error === undefined || error instanceof NotExercised;
}
