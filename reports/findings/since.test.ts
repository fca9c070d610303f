import { expect, test } from 'vitest';
import type { CheckResult, Results } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { repeatedFindings } from './findings.ts';

const clause = 'retirement.before-subscription';

function run(result: Partial<CheckResult>): Results {
  return judge(sampleFacts, [sampleClause(clause)], [sampleOutcome(clause, result)]);
}

/** What became of the one finding of a run, by what its check came to the next time. */
function became(result: Partial<CheckResult>) {
  const [repeated, ...others] = repeatedFindings(run(sampleFailure), run(result));
  expect(others).toEqual([]);
  return repeated && { state: repeated.state, now: repeated.now };
}

const { error } = sampleFailure;

test('a finding whose check fails in the same way is reproduced, whatever the ids in it', () => {
  expect(became(sampleFailure)).toEqual({ state: 'REPRODUCED', now: undefined });
  const withId = (id: string) => ({ ...sampleFailure, error: { ...error, actual: `403 for ${id}` } });
  const [again] = repeatedFindings(run(withId('11e9-f00d1')), run(withId('42ab-f00d9')));
  expect(again?.state).toBe('REPRODUCED');
});

test('one whose check fails in another way has changed, and it is told how', () => {
  const other = { ...sampleFailure, error: { ...error, actual: '500' } };
  expect(became(other)).toEqual({ state: 'CHANGED', now: '500' });
});

test('one whose checks all pass is fixed', () => {
  expect(became({})).toEqual({ state: 'FIXED', now: undefined });
});

test('one whose check could not be made was not tried, for the reason of the check', () => {
  const reason = 'the control API is gone';
  expect(became({ state: 'not-exercised', reason })).toEqual({ state: 'NOT TRIED', now: reason });
});

test('one that came and went is not fixed by not coming once', () => {
  const before = run(sampleFailure);
  const [finding] = before.findings ?? [];
  if (!finding) throw new Error('no finding');
  const seldom = { ...before, findings: [{ ...finding, observations: { wrong: 3, of: 882 } }] };
  expect(repeatedFindings(seldom, run({}))[0]?.state).toBe('NOT TRIED');
});
