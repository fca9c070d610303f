import { describe, expect, test } from 'vitest';
import type { CheckOutcome, CheckResult } from '../schemas/results.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { catches, neverFailed } from './judge.ts';
import type { Mutant } from './mutant.ts';

const mutant: Mutant = { id: 'echo.wrong', breaks: ['echo.status'], rules: referenceRules };

function outcome(clause: string, name: string, state: CheckResult['state'], premise = false): CheckOutcome {
  const error = { title: name, expected: '200', actual: '201', ...(premise ? { premise: true as const } : {}) };
  const result = {
    name,
    file: 'x',
    state,
    durationMs: 0,
    cases: 1,
    assertions: 1,
    ...(state === 'failed' ? { error } : {}),
  };
  return { clause, result };
}

function caughtBy(...outcomes: CheckOutcome[]): readonly string[] | undefined {
  return catches([mutant], new Map([[mutant.id, outcomes]]))[0]?.caughtBy;
}

describe('a mutant is caught', () => {
  test('by a failed check of a clause that it breaks', () => {
    expect(caughtBy(outcome('echo.status', 'one', 'failed'))).toEqual(['one']);
  });

  test.each([
    ['a check of another clause', outcome('echo.app-key', 'one', 'failed')],
    ['a check that passed', outcome('echo.status', 'one', 'passed')],
    ['a check that was not exercised', outcome('echo.status', 'one', 'not-exercised')],
    ['a check that found only the untouched request refused', outcome('echo.status', 'one', 'failed', true)],
  ])('not by %s', (_, only) => {
    expect(caughtBy(only)).toEqual([]);
  });
});

test('a check is unproven until it has failed for some mutant, and not for what it builds on', () => {
  const outcomes = new Map([
    ['a', [outcome('echo.status', 'one', 'passed'), outcome('echo.status', 'two', 'failed', true)]],
    ['b', [outcome('echo.status', 'one', 'failed')]],
  ]);
  expect(neverFailed(outcomes)).toEqual(['echo.status: two']);
});
