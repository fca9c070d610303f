import { expect, test } from 'vitest';
import type { TargetAddress } from '../../targets/address.ts';
import { openTarget } from '../../targets/target.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import { newRecord } from './trial-record.ts';
import { trialOf } from './trial.ts';
import { leaveOutUnreached } from './verification.ts';

const control = { url: 'http://127.0.0.1:9', token: 't' };

/** Leaves a verdict out at a target, or gives it to be judged. */
function judged(change: Partial<TargetAddress>, status: string): string {
  const target = openTarget(foreignAddress('http://127.0.0.1:9', change), { memory: ledgerMemory(), budget: 0 });
  leaveOutUnreached(trialOf(target, newRecord()), status);
  return status;
}

test('a verdict that says that the authority was not reached is left out where it may be out of reach', () => {
  expect(() => judged({}, 'VALIDATION_ERROR')).toThrow(/the authority was not reached/);
});

test('it is judged where a control API has the authority in reach, and any other is judged', () => {
  expect([judged({ control }, 'VALIDATION_ERROR'), judged({}, 'REJECTED')]).toEqual(['VALIDATION_ERROR', 'REJECTED']);
});
