import type { Mask } from '../../trace/mask.ts';
import type { Run } from '../../targets/address.ts';
import { maskAt } from '../../targets/mask.ts';
import type { Target } from '../../targets/target.ts';
import type { TrialRecord } from './trial.ts';

/** Hides what no report of a target may show, and every token that a check sent. */
export function maskOf({ address, secrets }: Run, target: Target, { tokens }: TrialRecord): Mask {
  return maskAt(address, new Map([...secrets, ...target.secrets]), { tokens });
}
