import type { Results } from '../schemas/results.ts';
import type { ReportModel } from './model.ts';
import type { TestCase } from './test-cases.ts';

const specVersion = '0.0.0';

/** A tolerated failure is no pass, and must not make a job red: the format has `other` for it. */
const statuses = {
  passed: 'passed',
  failed: 'failed',
  tolerated: 'other',
  skipped: 'skipped',
  error: 'failed',
} as const satisfies Record<TestCase['outcome'], string>;

type Status = (typeof statuses)[TestCase['outcome']];

/** The run as JSON of the Common Test Report Format (https://ctrf.io): one test a check. Times are whole milliseconds. */
export function ctrfReport({ results, tests }: ReportModel): string {
  const report = {
    reportFormat: 'CTRF',
    specVersion,
    generatedBy: 'nfe-conformance',
    results: {
      tool: toolOf(results),
      summary: summaryOf(results, tests),
      tests: tests.map(testOf),
      environment: environmentOf(results),
    },
  };
  return `${JSON.stringify(report, null, 2)}\n`;
}

function toolOf({ suite }: Results) {
  return { name: 'nfe-conformance', ...(suite === undefined ? {} : { version: suite.version }) };
}

function summaryOf({ startedAt, durationMs }: Results, cases: readonly TestCase[]) {
  const having = (status: Status): number => cases.filter(({ outcome }) => statuses[outcome] === status).length;
  const duration = Math.round(durationMs);
  const start = millisecondsOf(startedAt);
  return {
    tests: cases.length,
    passed: having('passed'),
    failed: having('failed'),
    skipped: having('skipped'),
    pending: 0,
    other: having('other'),
    flaky: cases.filter(isFlaky).length,
    suites: new Set(cases.map(({ suite }) => suite)).size,
    start,
    stop: start + duration,
    duration,
  };
}

/** A text that is no time counts from 1970: the format has no way to say that the start is unknown. */
function millisecondsOf(iso: string): number {
  const time = Date.parse(iso);
  return Number.isNaN(time) ? 0 : time;
}

function testOf(own: TestCase) {
  const { suite, name, file, durationMs, outcome, message, details, clause, check, finding } = own;
  return {
    testId: [clause?.id ?? suite, name].join(': '),
    name: name === '' ? 'a check without a title' : name,
    status: statuses[outcome],
    duration: Math.round(durationMs),
    suite: [suite],
    rawStatus: outcome,
    ...(file === '' ? {} : { filePath: file }),
    ...(message === undefined ? {} : { message }),
    ...(details === undefined ? {} : { trace: details }),
    ...(isFlaky(own) ? { flaky: true } : {}),
    ...(clause === undefined ? {} : { extra: extraOf(clause, check, finding) }),
  };
}

function extraOf(
  { id, section, level, statement, verdict }: NonNullable<TestCase['clause']>,
  check: TestCase['check'],
  finding: TestCase['finding'],
) {
  return {
    clause: id,
    section,
    level,
    statement,
    verdict,
    ...(check === undefined ? {} : { cases: check.cases, assertions: check.assertions }),
    ...(finding === undefined ? {} : { finding: finding.id, ...(finding.isNew ? { isNew: true } : {}) }),
    ...(check?.replay === undefined ? {} : { repeat: check.replay }),
  };
}

function isFlaky({ outcome, check }: TestCase): boolean {
  return outcome === 'passed' && check?.flaky !== undefined;
}

function environmentOf({ target, suite, seed, numRuns, requests, verdict, filter, level }: Results) {
  return {
    reportName: 'NF-e conformance',
    testEnvironment: target.kind,
    ...(target.implementation === undefined ? {} : { appName: target.implementation }),
    ...(suite?.commit === undefined ? {} : { commit: suite.commit }),
    healthy: verdict === 'conformant' || verdict === 'incomplete',
    extra: {
      verdict,
      target,
      seed,
      numRuns,
      requests,
      ...(filter === undefined ? {} : { filter }),
      ...(level === undefined ? {} : { level }),
    },
  };
}
