import { expect, test } from 'vitest';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleOutcome } from '../testing/sample-run.ts';
import { markup } from './markup.ts';
import { unjudgedSections } from './matrix.ts';

const clauses = [sampleClause('echo.must'), sampleClause('echo.should', { level: 'should' })];

function sectionsFor(reason: string): string {
  const outcomes = clauses.map(({ id }) => sampleOutcome(id, { state: 'not-exercised', reason }));
  const results = judge(sampleFacts, clauses, outcomes);
  return markup`${unjudgedSections(results, { block: 100, line: 100 })}`.html;
}

test('clauses that were not exercised stand under their reason, with their level where it is not must', () => {
  const html = sectionsFor('needs a clock');
  expect(html).toContain('<h3 class="reason">needs a clock</h3>');
  expect(html).toContain('<code>echo.must</code></a></li>');
  expect(html).toMatch(/<code>echo\.should<\/code><\/a> <span class="where">.*>should<.*>recomendada</);
});

test('a long reason is shortened', () => {
  expect(sectionsFor('r'.repeat(300))).toContain(`<h3 class="reason">${'r'.repeat(100)} <span`);
});
