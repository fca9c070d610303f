import { describe, expect, test } from 'vitest';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import type { CheckResult, Results } from '../schemas/results.ts';
import { htmlReport } from './html.ts';
import { errorResults, judge } from './judge.ts';
import { sampleExchange, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';

const largestPageBytes = 5_000_000;
const clauses = catalogue.filter(isJudged);

/** A run over the whole catalogue in which every check comes to the same. */
function runOf(...checks: readonly Partial<CheckResult>[]): Results {
  const outcomes = clauses.flatMap(({ id }) => checks.map((check) => sampleOutcome(id, check)));
  return judge(sampleFacts, clauses, outcomes);
}

/** A failure of its own, which no other one blocks. */
const failure = { ...sampleFailure, inPassing: true } as const;
const error = { ...sampleFailure.error, expected: '<'.repeat(20_000), actual: '<'.repeat(20_000) };
const counterexample = '\r\t'.repeat(2_000);

describe('a page stays below 5 MB and tells of every clause', () => {
  test.each([
    ['fails in two checks with long findings', [0, 1].map(() => ({ ...failure, error, counterexample }))],
    ['is not exercised for a long reason', [{ state: 'not-exercised', reason: '<'.repeat(20_000) }]],
    ['passes in part and has a long reason', [{}, { state: 'not-exercised', reason: '<'.repeat(20_000) }]],
    ['was disturbed with long texts', [{ flaky: ['<'.repeat(400_105)] }]],
  ] satisfies [string, Partial<CheckResult>[]][])('where each %s', (_, checks) => {
    const page = htmlReport(runOf(...checks));
    expect(Buffer.byteLength(page)).toBeLessThan(largestPageBytes);
    expect(page.match(/<tr id="clause-/g)).toHaveLength(clauses.length);
    expect(page).toMatch(/… the first [\d,]+ of [\d,]+ characters; the others are in results\.json/);
  });

  test('of an error with a long message', () => {
    const page = htmlReport(errorResults(sampleFacts, '<'.repeat(2_000_000), 'suite'));
    expect(Buffer.byteLength(page)).toBeLessThan(largestPageBytes);
    expect(page).toContain('of 2,000,000 characters; the others are in results.json');
  });
});

test('a finding of a few hundred characters is whole, however many failures have one', () => {
  const finding = { ...sampleFailure.error, expected: 'x'.repeat(600), actual: '<'.repeat(100) };
  const page = htmlReport(runOf({ ...failure, error: finding, counterexample: 'y'.repeat(600) }));
  expect(page).not.toContain('characters; the others are in results.json');
});

test('a single long finding is whole, and long ones are shortened before evidence is left out', () => {
  const outcomes = clauses.map(({ id }, index) => sampleOutcome(id, index === 0 ? { ...sampleFailure, error } : {}));
  const page = htmlReport(judge(sampleFacts, clauses, outcomes)).replaceAll(/<\/?mark>/g, '');
  expect(page).toContain(`${'&#60;'.repeat(10_000)}<`);
  const flooded = htmlReport(runOf({ ...failure, error, exchanges: [sampleExchange()] }));
  expect(flooded.match(/<details class="exchange" id="[^"]+" open>/g)?.length).toBeGreaterThan(100);
});
