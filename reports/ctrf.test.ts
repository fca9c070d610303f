import { modelOf } from './model.ts';
import { getCurrentSpecVersion, validate, validateStrict, type CTRFReport } from 'ctrf';
import { describe, expect, test } from 'vitest';
import { ctrfReport } from './ctrf.ts';
import { errorResults, judge } from './judge.ts';
import type { Results } from '../schemas/results.ts';
import {
  hostileResults,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';

/** What a reader of the format reads. */
function read(results: Results): CTRFReport {
  const report: unknown = JSON.parse(ctrfReport(modelOf(results)));
  validateStrict(report);
  return report;
}

const report = read(sampleResults());
const inError = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
const inFractions = {
  ...judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a', { durationMs: 0.4 })]),
  durationMs: 12.5,
};

describe('the CTRF report', () => {
  test.each([
    ['of every verdict', sampleResults()],
    ['in error', inError],
    ['with hostile texts', hostileResults()],
    ['with fractions of milliseconds', inFractions],
    ['without clauses', judge(sampleFacts, [], [])],
  ])('of a run %s fits the schema that the format publishes', (_, results) => {
    expect(validate(JSON.parse(ctrfReport(modelOf(results)))).errors).toEqual([]);
  });

  test('names the version of the format that it keeps', () => {
    expect(report.specVersion).toBe(getCurrentSpecVersion());
  });

  test('fails the check that no known deviation covers, and tolerates the other one of its clause', () => {
    const names = ['one rule', 'another rule'];
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': [{ reason: 'T', check: 'one rule' }] } };
    const outcomes = names.map((name) => sampleOutcome('echo.a', { ...sampleFailure, name }));
    const { tests } = read(judge(facts, [sampleClause('echo.a')], outcomes)).results;
    expect(tests.map(({ status, message }) => [status, message?.slice(0, 29)])).toEqual([
      ['other', 'a known deviation covers this'],
      ['failed', 'expected: 410, code 10009034,'],
    ]);
  });

  test('calls flaky what passed in the end, not what failed', () => {
    const failed = sampleOutcome('echo.a', { ...sampleFailure, flaky: ['failed', 'failed otherwise'] });
    const { tests, summary } = read(judge(sampleFacts, [sampleClause('echo.a')], [failed])).results;
    expect(tests[0]?.flaky).toBeUndefined();
    expect(summary.flaky).toBe(0);
  });
});
