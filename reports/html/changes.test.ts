import { expect, test, describe } from 'vitest';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleOutcome, sampleResults, sampleFailure } from '../testing/sample-run.ts';
import { changesSection, sinceText } from './changes.ts';
import type { ClauseResult, ClauseVerdict, Results } from '../../schemas/results.ts';
import { historyLineOf } from '../history.ts';
import { modelOf } from '../model.ts';

const results = sampleResults();

test.each([
  ['an address of its own', { baseUrl: 'https://nfe.example' }, true],
  ['a kind of its own', { kind: 'embedded' }, true],
  ['another build', { implementation: 'simulator 0.2.0' }, false],
])('a run on a target with %s is of another target: %o, %s', (_, target, isOther) => {
  const before = { ...results, target: { ...results.target, ...target } };
  expect(changesSection(modelOf(results, { baseline: before })).html.includes('tested another target')).toBe(isOther);
});

test('checks that stopped running are named with their clauses', () => {
  const gone = sampleOutcome('echo.passed', { name: 'gone' }).result;
  const withGone = (clause: ClauseResult): ClauseResult =>
    clause.id === 'echo.passed' ? { ...clause, checks: [...clause.checks, gone] } : clause;
  const { html } = changesSection(
    modelOf(results, { baseline: { ...results, clauses: results.clauses.map(withGone) } }),
  );
  expect(html).toMatch(
    /Stopped running<.*>: 1<\/dt><dd><ul><li><a href="#clause-echo\.passed"><code>echo\.passed<\/code><\/a>: gone<\/li><\/ul>/,
  );
});

test.each([
  [12, false],
  [13, true],
])('of %d clauses that started running the list is folded: %s', (count, isFolded) => {
  const ids = Array.from({ length: count }, (_, index) => `echo.c${index}`);
  const now = judge(
    sampleFacts,
    ids.map((id) => sampleClause(id)),
    ids.map((id) => sampleOutcome(id)),
  );
  const { html } = changesSection(modelOf(now, { baseline: { ...now, clauses: [] } }));
  expect(html.match(/<li>/g)).toHaveLength(count);
  expect(html.includes('<details><summary>')).toBe(isFolded);
});

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
  const told = { history: lines, baseline: baseline && night(1, baseline) };
  return sinceText(id, modelOf(night(9, 'failed'), told)).html;
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
    expect(sinceText(id, modelOf(night(9, 'failed'), { history: lines })).html).toContain(
      'since 2026-11-04 02:00:00 UTC, 2 runs',
    );
  });
});
