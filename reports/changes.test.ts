import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseVerdict, Results } from '../schemas/results.ts';
import { changesSince, type Changes, judgementsOf, judgementsOfLine, earlierOfLine } from './changes.ts';
import { historyLineOf } from './history.ts';
import { errorResults, judge, type RunFacts } from './judge.ts';
import { sampleClause, sampleFacts, sampleOutcome, sampleFailure } from './testing/sample-run.ts';
import type { Way } from '../schemas/finding.ts';
import { compareResults, comparisonLines } from './compare.ts';

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
});

describe('against a line of a history', () => {
  const line = historyLineOf(run({ [a]: 'passed', 'echo.b': 'failed', 'echo.c': 'not-exercised' }), '0.1.0');

  test('clauses are compared', () => {
    const now = run({ [a]: 'failed', 'echo.b': 'passed', 'echo.c': 'passed' });
    const expected = { ...nothing, newlyFailed: [a], fixed: ['echo.b'], startedRunning: ['echo.c'] };
    expect(changesSince(judgementsOfLine(line), judgementsOf(now))).toEqual(expected);
  });
});

const id = 'retirement.gone';
const wayOn = (path: string, actual = '404, no code'): Way => ({
  endpoint: `POST ${path}`,
  expected: '410, code 10009034',
  actual,
});
const [xml, chave] = [wayOn('/openapi/nfe/verify/xml'), wayOn('/openapi/nfe/verify/chave')];

/** A run in which the examples of the clause's check fail in these ways. */
function broken(ways: readonly Way[] | undefined, facts: Partial<RunFacts> = {}, level: 'must' | 'implied' = 'must') {
  const outcome = sampleOutcome(id, { ...sampleFailure, ...(ways ? { ways: [...ways] } : {}) });
  return judge({ ...sampleFacts, ...facts }, [sampleClause(id, { level })], [outcome]);
}

const listed = { knownDeviations: { [id]: 'TICKET-1' } };

/** The clauses of which each way of comparing two runs says that they break otherwise. */
function told(before: Results, now: Results) {
  const { clauses, outcome } = compareResults(before, now);
  const line = earlierOfLine(historyLineOf(before, '0.1.0'));
  return {
    compare: clauses.filter(({ ways }) => ways).map((clause) => clause.id),
    outcome,
    baseline: changesSince(judgementsOf(before), judgementsOf(now)).brokenOtherwise,
    history: changesSince(line, judgementsOf(now)).brokenOtherwise,
  };
}

const different = { compare: [id], outcome: 'different', baseline: [id], history: [id] };
const same = { compare: [], outcome: 'same', baseline: [], history: [] };

describe('a clause that breaks in another way is told of', () => {
  test.each([
    ['known', listed, 'must'],
    ['failed', {}, 'must'],
    ['warned', {}, 'implied'],
  ] as const)('where it is %s in both runs', (verdict, facts, level) => {
    const [before, now] = [broken([xml], facts, level), broken([xml, chave], facts, level)];
    expect(now.clauses[0]?.verdict).toBe(verdict);
    expect(told(before, now)).toEqual(different);
    expect(told(now, before)).toEqual(different);
  });

  test('where the same endpoint answers otherwise', () => {
    const other = wayOn('/openapi/nfe/verify/xml', '500, no code');
    expect(told(broken([xml], listed), broken([other], listed))).toEqual(different);
  });
});

describe('nothing is told', () => {
  test('of a clause that breaks in the same ways, in any order and with other numbers', () => {
    const retries = (count: number): Way => ({ expected: '5 retries', actual: `${count} retries` });
    expect(told(broken([xml, retries(6)], listed), broken([retries(12), xml], listed))).toEqual(same);
  });

  test.each([
    ['before', undefined, [xml]],
    ['now', [xml], undefined],
  ])('where not every example could be tried %s', (_, before, now) => {
    expect(told(broken(before, listed), broken(now, listed))).toEqual(same);
  });
});

describe('it is shown', () => {
  const before = broken([xml], listed);

  test('by compare no more than a dozen ways a run', () => {
    const many = Array.from({ length: 20 }, (_, at) => wayOn(`/openapi/${'a'.repeat(at + 1)}`));
    const lines = comparisonLines(compareResults(before, broken(many, listed)));
    expect(lines.filter((line) => line.includes('only in B'))).toHaveLength(13);
    expect(lines).toContain('    only in B  8 more ways');
  });
});

test('a finding shows the uncovered failure of its clause', () => {
  const [one, other] = ['one rule', 'another rule'];
  const facts = { ...sampleFacts, knownDeviations: { [id]: [{ reason: 'TICKET-1', check: one }] } };
  const outcomes = [one, other].map((name) =>
    sampleOutcome(id, { ...sampleFailure, name, error: { ...sampleFailure.error, title: name } }),
  );
  const [finding] = judge(facts, [sampleClause(id)], outcomes).findings ?? [];
  expect(finding?.evidence.map(({ check }) => check)).toEqual([other, one]);
});
