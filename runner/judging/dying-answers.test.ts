import { expect, test } from 'vitest';
import type { CheckOutcome } from '../../schemas/results.ts';
import { withoutDyingAnswers } from './cut-short.ts';

const outageMs = Date.parse('2026-11-22T12:03:07.000Z');

function failed(frailAtMs?: number): CheckOutcome {
  const error = { title: 'a title', expected: '200', actual: '500' };
  const result = { name: 'a', file: 'a.spec.ts', state: 'failed', durationMs: 1, cases: 1, assertions: 1 } as const;
  return {
    clause: 'echo.message-returned',
    result: { ...result, error },
    ...(frailAtMs === undefined ? {} : { frailAtMs }),
  };
}

function stateOf(outcome: CheckOutcome, outages: readonly number[]): string | undefined {
  return withoutDyingAnswers([outcome], outages)[0]?.result.state;
}

test('a failure that a target may show that goes down accuses nobody where the target was gone soon after', () => {
  const [outcome] = withoutDyingAnswers([failed(outageMs - 3_000)], [outageMs]);
  expect(outcome?.result).toMatchObject({ state: 'not-exercised', trouble: 'network' });
  expect(outcome?.result.reason).toBe('the target was gone from 12:03:07 UTC on, and may have been going down: 500');
});

test('it stands long before an outage, long after it, and where there was none', () => {
  expect(stateOf(failed(outageMs - 60_000), [outageMs])).toBe('failed');
  expect(stateOf(failed(outageMs + 60_000), [outageMs])).toBe('failed');
  expect(stateOf(failed(outageMs), [])).toBe('failed');
});

test('a whole answer that is wrong stands whenever it came', () => {
  expect(stateOf(failed(), [outageMs])).toBe('failed');
});
