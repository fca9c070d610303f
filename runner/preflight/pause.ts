import { setTimeout as sleep } from 'node:timers/promises';
import type { TargetAddress } from '../../targets/address.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import type { Pause } from './settlement.ts';

/** Longest pause between two questions. */
const longestPauseMs = 2_000;

/** How time passes while an outcome is waited for: by the clock where it can be moved, else for as long as the settings say. */
export function pauseOf(caller: Caller | ClockedCaller, { settleTimeoutSeconds }: TargetAddress): Pause {
  let [nextMs, leftMs] = [50, settleTimeoutSeconds * 1000];
  if ('advance' in caller) {
    return async () => {
      await caller.advance(0);
      leftMs -= longestPauseMs;
      return leftMs > 0;
    };
  }
  return async () => {
    if (leftMs <= 0) return false;
    const pauseMs = Math.min(nextMs, leftMs);
    await sleep(pauseMs);
    nextMs = Math.min(nextMs * 2, longestPauseMs);
    leftMs -= pauseMs;
    return true;
  };
}
