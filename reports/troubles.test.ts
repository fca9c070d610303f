import { expect, test } from 'vitest';
import { clauseNotRun, errorResults, judge } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';
import { troublesOf } from './troubles.ts';

const open = { state: 'not-exercised', reason: 'r' } as const;

function troubles(clauses: readonly string[], ...outcomes: Parameters<typeof judge>[2][number][]) {
  const facts = { ...sampleFacts, knownDeviations: { 'echo.stale': 'TICKET-1' } };
  return troublesOf(
    judge(
      facts,
      clauses.map((id) => sampleClause(id)),
      outcomes,
    ),
  ).map(({ whose, failed, open: wants, flaky }) => [whose, failed, wants, flaky]);
}

test('a run in which everything holds met no trouble', () => {
  expect(troubles(['echo.a'], sampleOutcome('echo.a'))).toEqual([]);
});

test('a warning and a known deviation are the target’s trouble, each counted apart from what failed', () => {
  const ids = ['echo.failed', 'echo.warned', 'echo.known', 'echo.passed'];
  const results = judge(
    { ...sampleFacts, knownDeviations: { 'echo.known': 'TICKET-1' } },
    ids.map((id) => sampleClause(id, id === 'echo.warned' ? { level: 'should' } : {})),
    ids.map((id) => sampleOutcome(id, id === 'echo.passed' ? {} : sampleFailure)),
  );
  expect(troublesOf(results)).toEqual([
    { whose: 'target', failed: 1, warned: 1, known: 1, open: 0, openOthers: 0, flaky: 0 },
  ]);
});

test('a stale known deviation is the trouble of the settings, not of the target', () => {
  expect(troubles(['echo.stale'], sampleOutcome('echo.stale'))).toEqual([['settings', 1, 0, 0]]);
});

test.each(['target', 'network', 'settings'] as const)(
  'a clause not exercised for the sake of the %s is its',
  (trouble) => {
    expect(troubles(['echo.a'], sampleOutcome('echo.a', { ...open, trouble }))).toEqual([[trouble, 0, 1, 0]]);
  },
);

test('of several wants the one that a setting can end counts', () => {
  const outcomes = (['target', 'settings'] as const).map((trouble) => sampleOutcome('echo.a', { ...open, trouble }));
  expect(troubles(['echo.a'], ...outcomes)).toEqual([['settings', 0, 1, 0]]);
});

test.each([
  [{ reason: 'r', trouble: 'network' }, 'network'],
  [{ reason: 'r' }, 'settings'],
] as const)('a clause that no check was made for is its own trouble, or else the settings’: %j', (why, whose) => {
  const results = judge(sampleFacts, [], []);
  expect(troublesOf({ ...results, clauses: [clauseNotRun(sampleClause('echo.a'), why)] })).toMatchObject([
    { whose, open: 1 },
  ]);
});

test('the target’s trouble stands first, then the network’s, the settings’ and the suite’s', () => {
  const ids = ['echo.a', 'echo.b', 'echo.c', 'echo.d'];
  const wants = (['suite', 'settings', 'network', 'target'] as const).map((trouble, index) =>
    sampleOutcome(ids[index] ?? '', { ...open, trouble }),
  );
  expect(troubles(ids, ...wants).map(([whose]) => whose)).toEqual(['target', 'network', 'settings', 'suite']);
});

test('a check that was disturbed is the network’s', () => {
  expect(troubles(['echo.a'], sampleOutcome('echo.a', { flaky: ['ECONNRESET'] }))).toEqual([['network', 0, 0, 1]]);
});

test.each(['target', 'network', 'settings', 'suite'] as const)('an error of the %s is its', (whose) => {
  expect(troublesOf(errorResults(sampleFacts, 'why', whose))).toEqual([
    { whose, failed: 0, warned: 0, known: 0, open: 0, openOthers: 0, flaky: 0, error: 'why' },
  ]);
});
