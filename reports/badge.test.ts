import { modelOf } from './model.ts';
import { describe, expect, test } from 'vitest';
import { badgeOf } from './write.ts';
import { errorResults, judge } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome, sampleResults } from './testing/sample-run.ts';

const ids = ['echo.a', 'echo.b', 'echo.c'];
const clauses = [
  ...ids.map((id) => sampleClause(id)),
  sampleClause('echo.d', { level: 'should' }),
  sampleClause('echo.e', { unobservable: 'it is shown in a console' }),
];
const outcomes = [...ids, 'echo.d'].map((id) => sampleOutcome(id));
const [, ...others] = outcomes;

describe('the badge of a run', () => {
  test('that is conformant is green and counts the must clauses that passed', () => {
    expect(badgeOf(modelOf(judge(sampleFacts, clauses, outcomes)))).toEqual({
      schemaVersion: 1,
      label: 'NF-e contract',
      message: 'conformant · 3/3 must clauses · level control complete',
      color: 'brightgreen',
    });
  });

  test('that is incomplete is yellow and shows how many are left', () => {
    const open = sampleOutcome('echo.a', { state: 'not-exercised', reason: 'needs a clock' });
    expect(badgeOf(modelOf(judge(sampleFacts, clauses, [open, ...others])))).toMatchObject({
      message: 'incomplete · 2/3 must clauses · level secret: 2 of 3 exercised',
      color: 'yellow',
    });
  });

  test('with a known deviation does not count it as passed', () => {
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': 'TICKET-12' } };
    const failed = sampleOutcome('echo.a', sampleFailure);
    expect(badgeOf(modelOf(judge(facts, clauses, [failed, ...others]))).message).toBe(
      'conformant · 2/3 must clauses · level secret: all 3 exercised, not all hold',
    );
  });

  test('that is nonconformant is red, and nobody may give it another colour', () => {
    expect(badgeOf(modelOf(sampleResults()))).toMatchObject({
      message: 'nonconformant · 1 clause failed',
      color: 'red',
      isError: true,
    });
  });

  test('with stale known deviations says so, and counts none of them as failed', () => {
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': 'TICKET-12', 'echo.b': 'TICKET-13' } };
    const failed = sampleOutcome('echo.c', sampleFailure);
    expect(
      badgeOf(modelOf(judge({ ...sampleFacts, knownDeviations: { 'echo.a': 'T' } }, clauses, outcomes))),
    ).toMatchObject({
      message: 'nonconformant · 1 known deviation stale',
      color: 'red',
    });
    expect(badgeOf(modelOf(judge(facts, clauses, [...outcomes, failed]))).message).toBe(
      'nonconformant · 1 clause failed · 2 known deviations stale',
    );
  });

  test('that ended in an error is grey and shows nothing of the error', () => {
    expect(badgeOf(modelOf(errorResults(sampleFacts, 'ECONNREFUSED', 'network')))).toEqual({
      schemaVersion: 1,
      label: 'NF-e contract',
      message: 'not tested',
      color: 'lightgrey',
      isError: true,
    });
  });

  test('of a part says so', () => {
    const part = judge({ ...sampleFacts, filter: '--topic echo' }, clauses, outcomes);
    expect(badgeOf(modelOf(part)).message).toBe('conformant in part · 3/3 must clauses');
  });
});
