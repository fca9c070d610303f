import { describe, expect, test } from 'vitest';
import type { ClauseVerdict, Results } from '../../schemas/results.ts';
import { historyLineOf, seriesOf } from '../history.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { sinceText } from './changes.ts';

const id = 'echo.a';

function night(day: number, verdict: ClauseVerdict): Results {
  const results = judge(
    { ...sampleFacts, startedAt: `2026-11-0${day}T02:00:00.000Z` },
    [sampleClause(id)],
    [sampleOutcome(id, sampleFailure)],
  );
  for (const clause of results.clauses) clause.verdict = verdict;
  return results;
}

function since(before: readonly ClauseVerdict[], baseline?: ClauseVerdict): string {
  const lines = before.map((verdict, index) => historyLineOf(night(index + 2, verdict), '0.1.0'));
  return sinceText(id, seriesOf(night(9, 'failed'), lines), baseline && night(1, baseline)).html;
}

test.each([
  [['passed'], 'new in this run'],
  [['passed', 'failed'], 'since 2026-11-03 02:00:00 UTC, 2 runs'],
  [['warned', 'failed'], 'in every run known, since 2026-11-02 02:00:00 UTC'],
  [['not-exercised'], 'no earlier run known judged it'],
  [[], 'no earlier run known'],
] as const)('after runs in which a clause was %j, its failure is %s', (before, text) => {
  expect(since(before)).toContain(`<span lang="en">${text}</span>`);
});

test.each([
  ['passed', 'new since the baseline of', 'nova desde a execução de referência de'],
  ['failed', 'already failed in the baseline of', 'já falhava na execução de referência de'],
  ['known', 'already failed in the baseline of', 'já falhava na execução de referência de'],
  ['not-exercised', 'not judged in the baseline of', 'não julgada na execução de referência de'],
] as const)('without a run before, a baseline in which a clause was %s tells: %s', (verdict, english, portuguese) => {
  for (const before of [[], ['not-exercised']] as const) {
    expect(since(before, verdict)).toContain(`<span lang="en">${english} 2026-11-01 02:00:00 UTC</span>`);
    expect(since(before, verdict)).toContain(`<span lang="pt-BR">${portuguese} 2026-11-01 02:00:00 UTC</span>`);
  }
});

describe('a run in which only the list of known deviations was stale', () => {
  const stale = (day: number): Results =>
    judge(
      { ...sampleFacts, startedAt: `2026-11-0${day}T02:00:00.000Z`, knownDeviations: { [id]: 'TICKET-1' } },
      [sampleClause(id)],
      [sampleOutcome(id)],
    );

  test('saw the clause hold', () => {
    const lines = [night(2, 'known'), stale(3), night(4, 'failed')].map((run) => historyLineOf(run, '0.1.0'));
    expect(sinceText(id, seriesOf(night(9, 'failed'), lines)).html).toContain('since 2026-11-04 02:00:00 UTC, 2 runs');
  });

  test('is no baseline in which it failed already', () => {
    expect(sinceText(id, seriesOf(night(9, 'failed')), stale(1)).html).toContain(
      'new since the baseline of 2026-11-01',
    );
  });
});

test('runs before tell more than a baseline', () => {
  expect(since(['passed'], 'failed')).toContain('new in this run');
});
