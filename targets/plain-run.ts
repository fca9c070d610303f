import type { Run, TargetAddress } from './address.ts';
import { ledgerMemory } from './traffic/ledger.ts';

/** A run of no clause, with one case a property, which makes no case smaller, repeats nothing and has no budget; the change is what it is for. */
export function plainRun(address: TargetAddress, change: Partial<Run> = {}): Run {
  return {
    name: 'plain',
    clauses: [],
    seed: 1,
    numRuns: 1,
    mostShrinks: 0,
    repetitions: 0,
    address,
    traffic: { memory: ledgerMemory(), budget: 0 },
    secrets: new Map(),
    ...change,
  };
}
