import { describe, expect, test } from 'vitest';
import type { HistoryLine } from '../schemas/stored.ts';
import type { Results } from '../schemas/results.ts';
import { historyLineOf } from './history.ts';
import { errorResults, judge } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './sample-run.ts';
import { brokenSince, earlierRun, seriesOf } from './series.ts';

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

  test('is told from as far back as the history goes', () => {
    const month = Array.from({ length: 40 }, (_, index) => night(index % 28, true, { startedAt: '' })).map(
      (run, index) => ({
        ...run,
        startedAt: new Date(Date.UTC(2026, 0, index + 1)).toISOString(),
      }),
    );
    expect(brokenSince(a, seriesOf(night(20, true), lines(...month)))).toMatchObject({
      startedAt: '2026-01-01T00:00:00.000Z',
      runs: 41,
    });
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
