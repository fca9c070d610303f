import { describe, expect, test } from 'vitest';
import { historyLine, isHistoryLine } from '../schemas/stored.ts';
import { historyLineOf, readHistory } from './history.ts';
import { historyLines } from './history-lines.ts';
import { errorResults, judge } from './judge.ts';
import {
  hostileResults,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './sample-run.ts';

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

test('what is not of the format is no line of a history', () => {
  for (const other of [{}, { ...line, format: 'nfe-conformance/history@2' }, { ...line, more: 1 }, sampleResults()]) {
    expect(isHistoryLine(other)).toBe(false);
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

  test('say what came of a run', () => {
    expect(shown(night(1, []))).toBe(
      '2026-11-21 02:00:00 UTC  ✓ Conformant  sandbox, suite 0.1.0, seed 1729: level control complete; clauses of every level: 2 passed, 0 failed, 0 known, 0 warned, 0 not exercised',
    );
    expect(shown(line)).toContain(
      'level secret: 3 of 4 exercised; clauses of every level: 1 passed, 1 failed, 1 known, 1 warned, 1 not exercised, 1 withheld',
    );
  });

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

  test('stand in the order in which the runs started', () => {
    const runs = [night(1, []), night(3, ['echo.a']), night(2, ['echo.a'])];
    const days = historyLines({ runs, unreadable: 0 }, 9).map((text) => [text.slice(0, 10), /newly/.test(text)]);
    expect(days).toEqual([
      ['2026-11-21', false],
      ['2026-11-22', true],
      ['2026-11-23', false],
    ]);
  });

  test('compare with another build of the same target', () => {
    const other = night(2, ['echo.a'], { target: { ...sampleFacts.target, implementation: 'simulator 0.2.0' } });
    expect(shown(night(1, []), other)).toMatch(/; newly failed: echo\.a$/);
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
