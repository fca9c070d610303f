import { describe, expect, test } from 'vitest';
import type { ClauseVerdict, Results } from '../schemas/results.ts';
import { compareWithBaseline } from './baseline.ts';
import { errorResults, judge } from './judge.ts';
import { sampleClause, sampleFacts, sampleOutcome } from './sample-run.ts';

const nothing = { newlyFailed: [], fixed: [], stoppedRunning: [], startedRunning: [] };

function run(verdicts: Readonly<Record<string, ClauseVerdict>>, filter?: string): Results {
  const clauses = Object.keys(verdicts).map((id) => sampleClause(id));
  const results = judge(
    sampleFacts,
    clauses,
    Object.keys(verdicts).map((id) => sampleOutcome(id)),
  );
  for (const clause of results.clauses) clause.verdict = verdicts[clause.id] ?? 'passed';
  return filter === undefined ? results : { ...results, filter };
}

const a = 'echo.a';

describe('newly failed', () => {
  test.each([
    ['passed', 'failed'],
    ['passed', 'warned'],
    ['not-exercised', 'failed'],
    ['warned', 'failed'],
    ['known', 'failed'],
  ] as const)('is a clause that was %s and is %s', (before, now) => {
    expect(compareWithBaseline(run({ [a]: before }), run({ [a]: now })).newlyFailed).toEqual([a]);
  });

  test.each([
    ['failed', 'failed'],
    ['failed', 'warned'],
    ['failed', 'known'],
    ['passed', 'known'],
    ['known', 'warned'],
  ] as const)('is no clause that was %s and is %s', (before, now) => {
    expect(compareWithBaseline(run({ [a]: before }), run({ [a]: now }))).toEqual(nothing);
  });

  test('is a failed clause that the catalogue did not have before', () => {
    const changes = compareWithBaseline(run({}), run({ [a]: 'failed' }));
    expect(changes).toEqual({ ...nothing, newlyFailed: [a], startedRunning: [a] });
  });
});

test.each(['failed', 'warned', 'known'] as const)('a clause that was %s and passes is fixed', (before) => {
  expect(compareWithBaseline(run({ [a]: before }), run({ [a]: 'passed' }))).toEqual({ ...nothing, fixed: [a] });
});

test.each(['not-exercised', 'unobservable'] as const)('a clause that is %s stopped or started running', (open) => {
  expect(compareWithBaseline(run({ [a]: 'failed' }), run({ [a]: open }))).toEqual({ ...nothing, stoppedRunning: [a] });
  expect(compareWithBaseline(run({ [a]: open }), run({ [a]: 'passed' }))).toEqual({ ...nothing, startedRunning: [a] });
});

test('a clause that left the catalogue stopped running', () => {
  expect(compareWithBaseline(run({ [a]: 'passed' }), run({}))).toEqual({ ...nothing, stoppedRunning: [a] });
});

test('a clause that a filter left out of either run is not compared', () => {
  expect(compareWithBaseline(run({ [a]: 'passed' }), run({}, 'token'))).toEqual(nothing);
  expect(compareWithBaseline(run({}, 'token'), run({ [a]: 'failed' }))).toEqual(nothing);
});

test('a run that ended in an error is compared with nothing', () => {
  const error = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
  expect(compareWithBaseline(run({ [a]: 'passed' }), error)).toEqual(nothing);
  expect(compareWithBaseline(error, run({ [a]: 'failed' }))).toEqual(nothing);
});
