import { describe, expect, test } from 'vitest';
import { historyLine, isHistoryLine, type HistoryLine } from '../schemas/stored.ts';
import { historyLineOf, readHistory, historyLines, brokenSince, earlierRun, seriesOf } from './history.ts';
import { errorResults, judge } from './judge.ts';
import {
  hostileResults,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';
import type { Results } from '../schemas/results.ts';

const line = historyLineOf(sampleResults(), '0.1.0');

test('a run is kept with its target, seed, counts and the clauses by verdict, those that no run judges left out', () => {
  expect(line).toEqual({
    format: historyLine.properties.format.const,
    startedAt: sampleFacts.startedAt,
    suite: '0.1.0',
    verdict: 'nonconformant',
    target: sampleFacts.target,
    seed: 1729,
    numRuns: 100,
    requests: 12_345,
    durationMs: 83_400,
    counts: { passed: 1, failed: 1, known: 1, warned: 1, notExercised: 1, blocked: 0, withheld: 1, unobservable: 1 },
    level: sampleResults().level,
    clauses: {
      passed: ['echo.passed'],
      failed: ['retirement.before-subscription'],
      known: ['echo.known'],
      warned: ['echo.warned'],
      'not-exercised': ['echo.open'],
      withheld: ['echo.withheld'],
    },
  });
});

test('a known deviation that is stale is kept as such', () => {
  const stale = judge(
    { ...sampleFacts, knownDeviations: { 'echo.a': 'T-1', 'echo.b': 'T-2' } },
    ['echo.a', 'echo.b'].map((id) => sampleClause(id)),
    [sampleOutcome('echo.a'), sampleOutcome('echo.b', sampleFailure)],
  );
  const kept = historyLineOf(stale, '0.1.0');
  expect(kept).toMatchObject({ stale: ['echo.a'], clauses: { failed: ['echo.a'], known: ['echo.b'] } });
  expect(isHistoryLine(kept)).toBe(true);
});

test('a run that ended in an error is kept with a short text of it', () => {
  const { verdict, error, clauses } = historyLineOf(errorResults(sampleFacts, 'x'.repeat(9_999), 'network'), '0.1.0');
  expect({ verdict, error, clauses }).toEqual({ verdict: 'error', error: 'x'.repeat(500), clauses: {} });
});

test('every run fits the schema, in one line, whatever its texts hold', () => {
  for (const results of [sampleResults(), hostileResults(), errorResults(sampleFacts, 'a\nb', 'network')]) {
    const text = JSON.stringify(historyLineOf(results, '0.1.0'));
    expect(text).not.toContain('\n');
    expect(isHistoryLine(JSON.parse(text))).toBe(true);
  }
});

test('torn lines are counted and passed over', () => {
  const whole = JSON.stringify(line);
  const { runs, unreadable } = readHistory(
    `${whole}\n${whole.slice(0, 40)}\n\n{"format":"other"}\n${whole}\n${whole.slice(0, 9)}`,
  );
  expect(runs).toEqual([line, line]);
  expect(unreadable).toBe(3);
});

describe('the lines for people', () => {
  const night = (day: number, failing: readonly string[], facts: Partial<typeof sampleFacts> = {}) => {
    const ids = ['echo.a', 'echo.b'];
    const outcomes = ids.map((id) => sampleOutcome(id, failing.includes(id) ? sampleFailure : {}));
    const startedAt = `2026-11-2${day}T02:00:00.000Z`;
    return historyLineOf(
      judge(
        { ...sampleFacts, startedAt, ...facts },
        ids.map((id) => sampleClause(id)),
        outcomes,
      ),
      '0.1.0',
    );
  };
  const shown = (...runs: ReturnType<typeof night>[]) => historyLines({ runs, unreadable: 0 }, 9).at(-1);

  test('name what failed newly and what is fixed since the run before of the same target', () => {
    const elsewhere = night(2, [], { target: { ...sampleFacts.target, baseUrl: 'http://other' } });
    expect(shown(night(1, ['echo.a']), elsewhere, night(3, ['echo.b']))).toMatch(
      /not exercised; newly failed: echo\.b; fixed: echo\.a$/,
    );
  });

  test('tell what the page tells: a warning is newly failed, a known deviation that passes is fixed, a stale one is stale', () => {
    const knownDeviations = { 'echo.a': 'TICKET-1' };
    const known = night(1, ['echo.a'], { knownDeviations });
    expect(shown(known, night(2, []))).toMatch(/not exercised; fixed: echo\.a$/);
    expect(shown(known, night(2, [], { knownDeviations }))).toMatch(/not exercised; stale known deviations: echo\.a$/);
    const warned = { ...night(2, []), clauses: { passed: ['echo.b'], warned: ['echo.a'] } };
    expect(shown(night(1, []), warned)).toMatch(/not exercised; newly failed: echo\.a$/);
  });

  test('compare with no run that ended in an error', () => {
    const broken = historyLineOf(errorResults(sampleFacts, 'ECONNREFUSED', 'network'), '0.1.0');
    expect(shown(night(1, ['echo.a']), broken, night(3, ['echo.a']))).not.toMatch(/newly/);
    expect(shown(broken)).toMatch(/! Error {2}sandbox, suite 0\.1\.0, seed 1729: ECONNREFUSED$/);
  });

  test('are cut to the last runs, and hold no control characters', () => {
    const hostile = historyLineOf(hostileResults(), '0.1.0');
    const lines = historyLines({ runs: [night(1, []), night(2, []), hostile], unreadable: 2 }, 2);
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('1 earlier run not shown');
    expect(lines[3]).toBe('passed over: 2 lines of the file without a run');
    expect(lines.join('')).not.toMatch(/\p{Cc}/u);
  });
});

const a = 'echo.a';
const startOf = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T02:00:00.000Z`;

function night(day: number, isFailing: boolean, facts: Partial<typeof sampleFacts> = {}): Results {
  const startedAt = startOf(day);
  return judge(
    { ...sampleFacts, ...facts, startedAt },
    [sampleClause(a)],
    [sampleOutcome(a, isFailing ? sampleFailure : {})],
  );
}

const lines = (...runs: readonly Results[]): HistoryLine[] => runs.map((run) => historyLineOf(run, '0.1.0'));

describe('a series of runs', () => {
  const today = night(20, true);

  test('ends with this run, also where the history has it already', () => {
    const yesterday = night(19, false);
    for (const history of [lines(yesterday), lines(yesterday, today)]) {
      expect(seriesOf(today, history).map(({ startedAt }) => startedAt)).toEqual([startOf(19), startOf(20)]);
    }
  });

  test('is in the order in which the runs started, whenever they were added to the history', () => {
    const merged = { ...night(18, false), seed: 5 };
    const history = lines(night(19, true), night(18, true), merged, night(17, true));
    expect(seriesOf(today, history).map(({ startedAt, seed }) => [startedAt, seed])).toEqual([
      [startOf(17), 1729],
      [startOf(18), 1729],
      [startOf(18), 5],
      [startOf(19), 1729],
      [startOf(20), 1729],
    ]);
    expect(earlierRun(today, { history })?.startedAt).toBe(startOf(19));
  });

  test('leaves out runs of another target and of another part of the suite', () => {
    const elsewhere = night(18, false, { target: { ...sampleFacts.target, baseUrl: 'http://other' } });
    const part = night(19, false, { filter: '--topic echo' });
    expect(seriesOf(today, lines(elsewhere, part))).toHaveLength(1);
  });
});

describe('since when a clause has not held', () => {
  const series = (...isFailing: readonly boolean[]) => {
    const runs = isFailing.map((fails, index) => night(index + 1, fails));
    const last = runs.at(-1) ?? night(1, false);
    return seriesOf(last, lines(...runs.slice(0, -1)));
  };

  test.each([
    [[false, true, true], { startedAt: startOf(2), runs: 2, isKnownToHaveHeld: true }],
    [[true, false, true], { startedAt: startOf(3), runs: 1, isKnownToHaveHeld: true }],
    [[true, true], { startedAt: startOf(1), runs: 2, isKnownToHaveHeld: false }],
    [[true, false], undefined],
    [[false], undefined],
  ])('is told for runs that failed %j', (isFailing, since) => {
    expect(brokenSince(a, series(...isFailing))).toEqual(since);
  });

  test('passes over runs that did not judge it', () => {
    const error = { ...errorResults(sampleFacts, 'ECONNREFUSED', 'network'), startedAt: startOf(2) };
    const runs = seriesOf(night(3, true), lines(night(1, true), error));
    expect(brokenSince(a, runs)).toEqual({ startedAt: startOf(1), runs: 2, isKnownToHaveHeld: false });
  });
});

describe('what a run is compared with', () => {
  test('is the baseline before any history', () => {
    const earlier = earlierRun(night(20, true), { baseline: night(3, false), history: lines(night(19, false)) });
    expect(earlier?.startedAt).toBe(startOf(3));
  });

  test('is the last run that judged, where there is no baseline', () => {
    const error = { ...errorResults(sampleFacts, 'ECONNREFUSED', 'network'), startedAt: startOf(19) };
    const earlier = earlierRun(night(20, true), { history: lines(night(17, true), night(18, false), error) });
    expect(earlier?.startedAt).toBe(startOf(18));
    expect(earlier?.verdicts.get(a)).toBe('passed');
  });

  test('is nothing on a first run', () => {
    expect(earlierRun(night(20, true), { history: [] })).toBeUndefined();
  });
});
