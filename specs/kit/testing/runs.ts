import type { TargetAddress } from '../../../targets/address.ts';
import { openTarget, type Target } from '../../../targets/target.ts';
import { foreignAddress } from '../../../targets/testing/server.ts';
import { ledgerMemory } from '../../../targets/traffic/ledger.ts';

/** The address of a server of somebody else, where nobody listens. */
export const nobodyAt: TargetAddress = foreignAddress('http://127.0.0.1:9');

/** Opens a target as a run without a budget does; whoever opens it closes it. */
export function targetAt(address: TargetAddress = nobodyAt): Target {
  return openTarget(address, { memory: ledgerMemory(), budget: 0 });
}
