import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseVerdict, Results } from '../schemas/results.ts';
import { changesSince, type Changes, judgementsOf, judgementsOfLine } from './changes.ts';
import { historyLineOf } from './history.ts';
import { errorResults, judge } from './judge.ts';
import { sampleClause, sampleFacts, sampleOutcome } from './testing/sample-run.ts';

const nothing: Changes = {
  newlyFailed: [],
  brokenOtherwise: [],
  fixed: [],
  stoppedRunning: [],
  stoppedChecks: [],
  startedRunning: [],
  stale: [],
};

const changes = (before: Results, now: Results): Changes => changesSince(judgementsOf(before), judgementsOf(now));

function run(verdicts: Readonly<Record<string, ClauseVerdict>>, filter?: string): Results {
  const clauses = Object.keys(verdicts).map((id) => sampleClause(id));
  const results = judge(
    sampleFacts,
    clauses,
    Object.keys(verdicts).map((id) => sampleOutcome(id)),
  );
  for (const clause of results.clauses) {
    clause.verdict = verdicts[clause.id] ?? 'passed';
    for (const check of clause.checks) check.state = stateOf(clause.verdict);
  }
  return filter === undefined ? results : { ...results, filter };
}

function stateOf(verdict: ClauseVerdict): CheckResult['state'] {
  if (verdict === 'passed') return 'passed';
  return verdict === 'not-exercised' || verdict === 'unobservable' ? 'not-exercised' : 'failed';
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
    expect(changes(run({ [a]: before }), run({ [a]: now })).newlyFailed).toEqual([a]);
  });

  test.each([
    ['failed', 'failed'],
    ['failed', 'warned'],
    ['failed', 'known'],
    ['passed', 'known'],
    ['known', 'warned'],
  ] as const)('is no clause that was %s and is %s', (before, now) => {
    expect(changes(run({ [a]: before }), run({ [a]: now }))).toEqual(nothing);
  });

  test('is a failed clause that the catalogue did not have before', () => {
    expect(changes(run({}), run({ [a]: 'failed' }))).toEqual({ ...nothing, newlyFailed: [a], startedRunning: [a] });
  });
});

test.each(['failed', 'warned', 'known'] as const)('a clause that was %s and passes is fixed', (before) => {
  expect(changes(run({ [a]: before }), run({ [a]: 'passed' }))).toEqual({ ...nothing, fixed: [a] });
});

test.each(['not-exercised', 'unobservable'] as const)('a clause that is %s stopped or started running', (open) => {
  expect(changes(run({ [a]: 'failed' }), run({ [a]: open }))).toEqual({ ...nothing, stoppedRunning: [a] });
  expect(changes(run({ [a]: open }), run({ [a]: 'passed' }))).toEqual({ ...nothing, startedRunning: [a] });
});

test('a clause that left the catalogue stopped running, also where both runs were asked for the same part', () => {
  expect(changes(run({ [a]: 'passed' }), run({}))).toEqual({ ...nothing, stoppedRunning: [a] });
  expect(changes(run({ [a]: 'passed' }, '--topic echo'), run({}, '--topic echo'))).toEqual({
    ...nothing,
    stoppedRunning: [a],
  });
});

test('a clause that a filter left out of either run is not compared', () => {
  expect(changes(run({ [a]: 'passed' }), run({}, 'token'))).toEqual(nothing);
  expect(changes(run({}, 'token'), run({ [a]: 'failed' }))).toEqual(nothing);
});

test('a run that ended in an error is compared with nothing', () => {
  const error = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
  expect(changes(run({ [a]: 'passed' }), error)).toEqual(nothing);
  expect(changes(error, run({ [a]: 'failed' }))).toEqual(nothing);
});

describe('a check that stopped running', () => {
  const two = (state: CheckResult['state']): Results =>
    judge(
      sampleFacts,
      [sampleClause(a)],
      [sampleOutcome(a), sampleOutcome(a, { name: 'the other half', state, reason: 'r' })],
    );

  test('is named where its clause is still exercised', () => {
    const stoppedChecks = [{ clause: a, name: 'the other half' }];
    expect(changes(two('passed'), two('not-exercised'))).toEqual({ ...nothing, stoppedChecks });
  });

  test('is named where it is gone', () => {
    const stoppedChecks = [{ clause: a, name: 'the other half' }];
    expect(changes(two('passed'), judge(sampleFacts, [sampleClause(a)], [sampleOutcome(a)]))).toEqual({
      ...nothing,
      stoppedChecks,
    });
  });

  test('is none of a run that was asked for something else', () => {
    expect(changes(two('passed'), { ...two('not-exercised'), filter: '--check x' })).toEqual(nothing);
  });

  test('is none that was not exercised before either', () => {
    expect(changes(two('not-exercised'), two('not-exercised'))).toEqual(nothing);
  });
});

describe('a known deviation that is stale', () => {
  const known = { ...sampleFacts, knownDeviations: { [a]: 'TICKET-1' } };
  const stale = judge(known, [sampleClause(a)], [sampleOutcome(a)]);

  test('is told apart from what failed newly', () => {
    expect(changes(run({ [a]: 'known' }), stale)).toEqual({ ...nothing, stale: [a] });
    expect(changes(run({ [a]: 'passed' }), stale)).toEqual({ ...nothing, stale: [a] });
  });

  test('held before: it is not fixed when it passes, and fails newly when it breaks', () => {
    expect(changes(stale, run({ [a]: 'passed' }))).toEqual(nothing);
    expect(changes(stale, run({ [a]: 'failed' }))).toEqual({ ...nothing, newlyFailed: [a] });
  });

  test('is told alike by a line of a history', () => {
    const line = judgementsOfLine(historyLineOf(stale, '0.1.0'));
    expect(changesSince(judgementsOf(run({ [a]: 'known' })), line)).toEqual({ ...nothing, stale: [a] });
    expect(changesSince(line, judgementsOf(run({ [a]: 'failed' })))).toEqual({ ...nothing, newlyFailed: [a] });
  });
});

describe('against a line of a history', () => {
  const line = historyLineOf(run({ [a]: 'passed', 'echo.b': 'failed', 'echo.c': 'not-exercised' }), '0.1.0');

  test('clauses are compared', () => {
    const now = run({ [a]: 'failed', 'echo.b': 'passed', 'echo.c': 'passed' });
    const expected = { ...nothing, newlyFailed: [a], fixed: ['echo.b'], startedRunning: ['echo.c'] };
    expect(changesSince(judgementsOfLine(line), judgementsOf(now))).toEqual(expected);
  });
});
