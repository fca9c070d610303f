import { modelOf } from './model.ts';
import { expect, test } from 'vitest';
import { badgeOf } from './write.ts';
import { ctrfReport } from './ctrf.ts';
import { historyLineOf, historyLines } from './history.ts';
import { htmlReport } from './html.ts';
import { errorResults } from './judge.ts';
import { junitReport } from './junit.ts';
import { summaryMarkdown } from './markdown.ts';
import { sampleFacts, sampleResults } from './testing/sample-run.ts';
import { verdictSentence } from './sentence.ts';
import { summaryLines } from './terminal.ts';

// Of a run that was stopped no level of assurance is told.
const { level: _level, ...whole } = sampleResults();
const stopped = errorResults(sampleFacts, 'shard 2/2 left no results', 'settings', whole.clauses);
const failing = 'retirement.before-subscription';

test('the sentence says what stopped the run, then what stands', () => {
  expect(verdictSentence(stopped)).toMatch(
    /^Error: shard 2\/2 left no results; what was judged until then stands: 1 of \d+ must clauses failed, .* \(seed 1729\)\.$/,
  );
  expect(verdictSentence(stopped, 'pt-BR')).toMatch(/^Erro: shard 2\/2 .*; o que foi julgado até ali vale: /);
});

test('the terminal shows what was found until then, under the sentence', () => {
  const lines = summaryLines(modelOf(stopped), { colour: false });
  expect(lines.slice(2)).toEqual(summaryLines(modelOf(whole), { colour: false }).slice(2));
  expect(lines[1]).toBe(verdictSentence(stopped));
});

test('the page shows what stopped the run, each failure and all clauses', () => {
  const page = htmlReport(modelOf(stopped));
  expect(page).toMatch(/<h2 id="error-heading">.*shard 2\/2 left no results/s);
  expect(page).toContain('What was judged until then stands below');
  expect(page).not.toContain('This says nothing about the contract');
  expect(page).toContain(`id="failure-${failing}"`);
  expect(page).toContain('<h2 id="clauses-heading">');
  expect(page).toContain('Must clauses exercised');
});

test('the summary for a CI page holds the table and the failures', () => {
  const summary = summaryMarkdown(modelOf(stopped));
  expect(summary).toContain('## ! Error\n');
  expect(summary).toContain('| topic |');
  expect(summary).toMatch(/### Failures\n\n<details><summary><code>retirement/);
});

test('JUnit and CTRF hold one error, and every check beside it', () => {
  const [before, after] = [junitReport(modelOf(whole)), junitReport(modelOf(stopped))];
  const testsIn = (xml: string): number => Number(/<testsuites .*? tests="(\d+)"/.exec(xml)?.[1]);
  expect(testsIn(after)).toBe(testsIn(before) + 1);
  expect(after).toContain('<testcase classname="run" name="the run comes to its end"');
  expect(after.match(/<error message="shard 2\/2 left no results"/g)).toHaveLength(1);
  expect(ctrfReport(modelOf(stopped))).toContain('"name": "the run comes to its end"');
  expect(ctrfReport(modelOf(stopped))).toContain(`"clause": "${failing}"`);
});

test('the badge is that of an error and counts what passed', () => {
  expect(badgeOf(modelOf(stopped))).toMatchObject({ color: 'lightgrey', isError: true });
  expect(badgeOf(modelOf(stopped)).message).toMatch(/^error · 1\/\d+ must clauses$/);
});

test('the history keeps the verdicts, and its line tells of both', () => {
  const line = historyLineOf(stopped, '0.1.0');
  expect(line).toMatchObject({ verdict: 'error', clauses: { failed: [failing] } });
  expect(historyLines({ runs: [line], unreadable: 0 }, 5)[0]).toMatch(
    /! Error .*: shard 2\/2 left no results; judged until then: .*1 passed, 1 failed, /,
  );
});
