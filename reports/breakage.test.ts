import { describe, expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import type { Way } from '../schemas/finding.ts';
import { brokenEndpoints } from './breakage.ts';
import { changesSince } from './changes.ts';
import { compareResults } from './compare/compare.ts';
import { comparisonLines } from './compare/lines.ts';
import { earlierOf, earlierOfLine, judgementsOf } from './earlier.ts';
import { historyLineOf } from './history.ts';
import { historyLines } from './history-lines.ts';
import { changesSection } from './html/changes.ts';
import { judge } from './judge.ts';
import type { RunFacts } from './run-facts.ts';
import { summaryMarkdown } from './markdown.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './sample-run.ts';
import { failureLines } from './terminal/failure.ts';

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

  test('but not twice where it fails newly', () => {
    const changes = changesSince(judgementsOf(broken([xml], listed)), judgementsOf(broken([xml, chave])));
    expect(changes).toMatchObject({ newlyFailed: [id], brokenOtherwise: [] });
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
  const [before, now] = [broken([xml], listed), broken([xml, chave], listed)];

  test('by compare, with the ways that only one run saw', () => {
    expect(comparisonLines(compareResults(before, now))).toEqual(
      expect.arrayContaining([
        `  ${id}  known in both, broken otherwise`,
        `    only in B  the rule of ${id} holds: POST /openapi/nfe/verify/chave: expected 410, code 10009034, actual 404, no code`,
      ]),
    );
  });

  test('by compare no more than a dozen ways a run', () => {
    const many = Array.from({ length: 20 }, (_, at) => wayOn(`/openapi/${'a'.repeat(at + 1)}`));
    const lines = comparisonLines(compareResults(before, broken(many, listed)));
    expect(lines.filter((line) => line.includes('only in B'))).toHaveLength(13);
    expect(lines).toContain('    only in B  8 more ways');
  });

  test('by the page, the summary of a CI page and the history', () => {
    expect(changesSection(earlierOf(before), now).html).toMatch(
      /Broken otherwise than before<.*>: 1<.*retirement\.gone/s,
    );
    expect(summaryMarkdown(now, earlierOf(before))).toContain(`- Broken otherwise than before: <code>${id}</code>`);
    const runs = [before, { ...now, startedAt: '2026-11-22T02:00:00.000Z' }].map((run) => historyLineOf(run, '0.1.0'));
    expect(historyLines({ runs, unreadable: 0 }, 1).at(-1)).toMatch(
      /; broken otherwise than before: retirement\.gone$/,
    );
  });

  test('in a failure by the endpoints on which its check fails, where there are several', () => {
    const [clause] = broken([xml, chave]).clauses;
    const lines = clause?.checks.flatMap((check) => failureLines(clause, check)).join('\n');
    expect(lines).toContain('  fails on  POST /openapi/nfe/verify/xml\n            POST /openapi/nfe/verify/chave');
    expect(brokenEndpoints(sampleOutcome(id, { ways: [xml, { ...xml, actual: '500' }] }).result)).toEqual([]);
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
