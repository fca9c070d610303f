import { expect, test } from 'vitest';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleOutcome } from '../sample-run.ts';
import { levelTable } from './counts.ts';

test('the table of levels has a row for each level that the run has, and none for another', () => {
  const clauses = [sampleClause('echo.a'), sampleClause('echo.b', { level: 'implied' })];
  const { html } = levelTable(
    judge(
      sampleFacts,
      clauses,
      clauses.map(({ id }) => sampleOutcome(id)),
    ),
  );
  const rows = [...html.matchAll(/<tr><th scope="row">.*?<span lang="en">(.*?)<.*?<\/tr>/g)].map(([, name]) => name);
  expect(rows).toEqual(['must', 'implied', 'all']);
});
