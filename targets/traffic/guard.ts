import { haltingIn, type Halting } from './halt.ts';
import { guardMemory } from './memory.ts';
import { outagesIn, type Outages } from './outage.ts';
import { paceIn, type Pace } from './pace.ts';
import { stallsIn, type Stalls } from './stalls.ts';
import { waitsIn, type Waits } from './waits.ts';

/** What keeps a run within bounds when its target dies, slows down or limits it in the middle; all threads share it. */
export interface Guard extends Halting {
  readonly outages: Outages;
  readonly pace: Pace;
  readonly stalls: Stalls;
  readonly waits: Waits;
}

/** The guard in that part of the memory. */
export function openGuard(memory: SharedArrayBuffer, offset: number): Guard {
  const shared = guardMemory(memory, offset);
  return {
    ...haltingIn(shared),
    outages: outagesIn(shared),
    pace: paceIn(shared),
    stalls: stallsIn(shared),
    waits: waitsIn(shared),
  };
}
