import { expect, test } from 'vitest';
import type { TargetAddress } from '../../targets/address.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { newRecord } from './trial-record.ts';
import { trialOf } from './trial.ts';
import { leaveOutUnreached } from './verification.ts';
import { targetAt } from './testing/runs.ts';

const control = { url: 'http://127.0.0.1:9', token: 't' };

/** Leaves a verdict out at a target, or gives it to be judged. */
function judged(change: Partial<TargetAddress>, status: string): string {
  const target = targetAt(foreignAddress('http://127.0.0.1:9', change));
  leaveOutUnreached(trialOf(target, newRecord()), status);
  return status;
}

test('a verdict that says that the authority was not reached is left out where it may be out of reach', () => {
  expect(() => judged({}, 'VALIDATION_ERROR')).toThrow(/the authority was not reached/);
});

test('it is judged where a control API has the authority in reach, and any other is judged', () => {
  expect([judged({ control }, 'VALIDATION_ERROR'), judged({}, 'REJECTED')]).toEqual(['VALIDATION_ERROR', 'REJECTED']);
});
