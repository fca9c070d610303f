import { modelOf } from './model.ts';
import { getCurrentSpecVersion, validate, validateStrict, type CTRFReport, type Test } from 'ctrf';
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
const testOf = (name: string): Test | undefined => report.results.tests.find((own) => own.name === name);
const ofClause = (id: string): Test | undefined => testOf(`the rule of ${id} holds`);
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

  test('has one test a check, and counts them', () => {
    expect(report.results.tests).toHaveLength(7);
    expect(report.results.summary).toEqual({
      tests: 7,
      passed: 1,
      failed: 1,
      skipped: 3,
      pending: 0,
      other: 2,
      flaky: 1,
      suites: 2,
      start: Date.parse(sampleFacts.startedAt),
      stop: Date.parse(sampleFacts.startedAt) + 83_400,
      duration: 83_400,
    });
  });

  test('shows a passed check with topic, file, time and the clause that it judges', () => {
    expect(ofClause('echo.passed')).toEqual({
      testId: 'echo.passed: the rule of echo.passed holds',
      name: 'the rule of echo.passed holds',
      status: 'passed',
      rawStatus: 'passed',
      duration: 12,
      suite: ['echo'],
      filePath: 'specs/echo.spec.ts',
      flaky: true,
      extra: {
        clause: 'echo.passed',
        section: '4.3',
        level: 'must',
        statement: 'What echo.passed says.',
        verdict: 'passed',
        cases: 1,
        assertions: 3,
      },
    });
  });

  test('shows a failed check with what was expected, its evidence and the command that repeats it', () => {
    const failed = ofClause('retirement.before-subscription');
    expect(failed?.status).toBe('failed');
    expect(failed?.message).toMatch(/^expected: 410, code 10009034.*; actual: 403, code 10009005$/);
    expect(failed?.trace).toMatch(/\n {2}request {3}POST \/openapi\/nfe\/verify\/xml/);
    expect(failed?.extra).toMatchObject({ verdict: 'failed', repeat: sampleFailure.replay });
  });

  test.each([
    ['echo.known', 'known', /^known deviation: TICKET-12$/],
    ['echo.warned', 'warned', /^warned \(implied\): expected: 410/],
  ])('counts a failed check of %s neither as failed nor as passed, and shows its evidence', (id, verdict, message) => {
    expect(ofClause(id)).toMatchObject({ status: 'other', rawStatus: 'tolerated', extra: { verdict } });
    expect(ofClause(id)?.message).toMatch(message);
    expect(ofClause(id)?.trace).toContain('  repeat    npm test --');
  });

  test('skips what was withheld, with what lifts it', () => {
    expect(ofClause('echo.withheld')?.status).toBe('skipped');
    expect(ofClause('echo.withheld')?.message).toMatch(/^withheld: .*NFE_ALLOW_PRODUCAO/);
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

  test('names suite, commit, target and seed', () => {
    expect(report.results.tool).toEqual({ name: 'nfe-conformance', version: '0.1.0' });
    expect(report.results.environment).toMatchObject({
      testEnvironment: 'sandbox',
      appName: 'simulator 0.1.0',
      commit: '1a2b3c4d5e6f',
      extra: { seed: 1729, target: { baseUrl: 'http://127.0.0.1:8080' }, verdict: 'nonconformant' },
    });
  });
});
