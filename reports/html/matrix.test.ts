import { modelOf, type ReportModel } from '../model.ts';
import { expect, test } from 'vitest';
import type { CheckResult, Results } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleOutcome, sampleResults } from '../testing/sample-run.ts';
import { noEvidence, type PageRoom } from './evidence-plan.ts';
import { matrixSection, unjudgedSections } from './matrix.ts';
import { markup } from './markup.ts';
import { filterTools, switches } from './frame.ts';

/** What a section of a page is made of. */
function shownOf(results: Results): [ReportModel, PageRoom] {
  const model = modelOf(results);
  return [model, { room: { block: 500, line: 500 }, evidence: noEvidence(model) }];
}

/** The row of a clause that came to these checks. */
function rowOf(...checks: readonly Partial<CheckResult>[]): string {
  const outcomes = checks.map((check) => sampleOutcome('echo.a', check));
  const results = judge(sampleFacts, [sampleClause('echo.a')], outcomes);
  const { html } = matrixSection(...shownOf(results));
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
  const { html: row } = matrixSection(...shownOf({ ...results, clauses }));
  expect(row).toContain('title="endpoint 12"');
  expect(row).toMatch(/1,200.*excludes 1 in.*400/);
});

test('a check that was not exercised is named with its reason, where it has one', () => {
  const open = { state: 'not-exercised', name: 'the other half' } as const;
  expect(rowOf({}, { ...open, reason: 'needs a clock' })).toContain(': the other half (needs a clock)</span>');
  expect(rowOf({}, open)).toContain(': the other half</span>');
});

const clauses = [sampleClause('echo.must'), sampleClause('echo.should', { level: 'should' })];

function sectionsFor(reason: string): string {
  const outcomes = clauses.map(({ id }) => sampleOutcome(id, { state: 'not-exercised', reason }));
  const results = judge(sampleFacts, clauses, outcomes);
  return markup`${unjudgedSections(...shownOf(results))}`.html;
}

test('clauses that were not exercised stand under their reason, with their level where it is not must', () => {
  const html = sectionsFor('needs a clock');
  expect(html).toContain('<h3 class="reason">needs a clock</h3>');
  expect(html).toContain('<code>echo.must</code></a></li>');
  expect(html).toMatch(/<code>echo\.should<\/code><\/a> <span class="where">.*>should<.*>recomendada</);
});

const filter = filterTools(modelOf(sampleResults())).html;

test('the filter offers the verdicts, levels and topics that the run has, and no others', () => {
  const values = (name: string): string[] =>
    [...filter.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map(([, value = '']) => value);
  expect(values('verdict')).toEqual([
    'passed',
    'failed',
    'known',
    'warned',
    'not-exercised',
    'withheld',
    'unobservable',
  ]);
  expect(values('level')).toEqual(['must', 'implied']);
  expect([...filter.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)).toEqual(
    expect.arrayContaining(['', 'echo', 'retirement']),
  );
});

test('the tools are hidden until a script shows them, and every label is there in both languages', () => {
  for (const html of [switches().html, filter]) {
    expect(html).toMatch(/^<div class="tools [^>]* hidden>/);
    const english = html.match(/<span class="said"><span lang="en">/g) ?? [];
    expect(english.length).toBeGreaterThan(1);
    expect(html.match(/<\/span><span lang="pt-BR">/g)).toHaveLength(english.length);
  }
});
