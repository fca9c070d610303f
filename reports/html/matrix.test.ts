import { expect, test } from 'vitest';
import type { CheckResult } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { inEnglish } from '../language.ts';
import { sampleClause, sampleFacts, sampleOutcome } from '../testing/sample-run.ts';
import { noEvidence } from './evidence-plan.ts';
import { matrixSection } from './matrix.ts';

/** The row of a clause that came to these checks. */
function rowOf(...checks: readonly Partial<CheckResult>[]): string {
  const outcomes = checks.map((check) => sampleOutcome('echo.a', check));
  const results = judge(sampleFacts, [sampleClause('echo.a')], outcomes);
  const { html } = matrixSection(results, { room: { block: 500, line: 500 }, say: inEnglish.say }, noEvidence);
  return html.slice(html.indexOf('<tr id="clause-echo.a"')).split('</tr>')[0] ?? '';
}

test('a row has the cases and the time of all checks of the clause', () => {
  expect(rowOf({ cases: 3, durationMs: 40 }, { cases: 4, durationMs: 50 })).toMatch(
    /<td>2<\/td><td>7<\/td><td><\/td><td>90 ms<\/td>$/,
  );
});

test('a row has how often the clause was seen, over what, and which rate of wrong answers that excludes', () => {
  const observations = { right: 1200, wrong: 0, bound95: 0.0025, over: [{ name: 'endpoint' as const, values: 12 }] };
  const results = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a', {})]);
  const clauses = results.clauses.map((clause) => ({ ...clause, observations }));
  const { html: row } = matrixSection(
    { ...results, clauses },
    { room: { block: 500, line: 500 }, say: inEnglish.say },
    noEvidence,
  );
  expect(row).toContain('title="endpoint 12"');
  expect(row).toMatch(/1,200.*excludes 1 in.*400/);
});

test('a check that was not exercised is named with its reason, where it has one', () => {
  const open = { state: 'not-exercised', name: 'the other half' } as const;
  expect(rowOf({}, { ...open, reason: 'needs a clock' })).toContain(': the other half (needs a clock)</span>');
  expect(rowOf({}, open)).toContain(': the other half</span>');
});
