import { modelOf, type ModelSources } from './model.ts';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseResult, Results } from '../schemas/results.ts';
import { errorResults, judge, clauseNotRun } from './judge.ts';
import {
  hostileResults,
  hostileText,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';
import { failureLines } from './test-cases.ts';
import { summaryLines } from './terminal.ts';
import { progressLine } from './progress-line.ts';
import { summaryMarkdown } from './markdown.ts';
import { getCurrentSpecVersion, validate, validateStrict, type CTRFReport } from 'ctrf';
import { ctrfReport } from './ctrf.ts';
import { junitReport } from './junit.ts';

const clause = sampleClause('retirement.before-subscription');

function linesOf(result: Partial<CheckResult>): string[] {
  const outcome = sampleOutcome(clause.id, result);
  const [judged] = judge(sampleFacts, [clause], [outcome]).clauses;
  return judged ? failureLines(judged, outcome.result) : [];
}

function plain(results: Results): string {
  return summaryLines(modelOf(results), { colour: false }).join('\n');
}

describe('a failure', () => {
  test('keeps further lines of a value below its first, and cuts a value of many lines', () => {
    const lines = linesOf({ state: 'failed', error: { title: 't', expected: 'a\nb', actual: 'y\n'.repeat(50) } });
    expect(lines.slice(1, 4)).toEqual(['  expected  a', '            b', '  actual    y']);
    expect(lines.at(-1)).toBe('            … (51 lines)');
    expect(lines.length).toBeLessThan(30);
  });
});

describe('the summary', () => {
  test('has 40 lines at most, however much is broken', () => {
    const clauses = Array.from({ length: 200 }, (_, at) => sampleClause(`echo.c${at}`));
    const outcomes = clauses.map(({ id }, at) =>
      at % 2 === 0
        ? sampleOutcome(id, { state: 'failed', error: { title: id, expected: `e${'x'.repeat(at)}`, actual: `a${at}` } })
        : sampleOutcome(id, { state: 'not-exercised', reason: `reason ${at}` }),
    );
    const lines = summaryLines(modelOf(judge(sampleFacts, clauses, outcomes)), { colour: false });
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines).toContain('and 80 more findings: see the report');
  });

  test('says nothing of since when where no earlier run is known, and that it is new where a baseline had it right', () => {
    const broken = judge(sampleFacts, [clause], [sampleOutcome(clause.id, sampleFailure)]);
    const baseline = judge(sampleFacts, [clause], [sampleOutcome(clause.id)]);
    const toldBy = (before: ModelSources): string | undefined =>
      summaryLines(modelOf(broken, before), { colour: false }).find((line) => line.includes('breaks'));
    expect(toldBy({ history: [] })).toMatch(/\(breaks 1 clause\)$/);
    expect(toldBy({ history: [], baseline })).toContain('(breaks 1 clause, new since the last run)');
  });

  test('says the same with colour as without', () => {
    const coloured = summaryLines(modelOf(sampleResults()), { colour: true }).join('\n');
    expect(coloured).toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(plain(sampleResults()));
  });
});

describe('text from a hostile target', () => {
  test('holds no control character, direction mark or line separator any more', () => {
    expect(hostileText).toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Cs}]/u);
    for (const results of [hostileResults(), errorResults(sampleFacts, hostileText, 'network')]) {
      for (const line of summaryLines(modelOf(results), { colour: false }))
        expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    }
  });

  test('is cut where it is very long', () => {
    const lines = hostileResults().clauses.flatMap((own: ClauseResult) =>
      own.checks.flatMap((check) => failureLines(own, check)),
    );
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(2_000);
  });
});

test('progress is told in Portuguese', () => {
  const progress = {
    clausesDone: 12,
    clausesAll: 1290,
    failed: 1,
    warned: 2,
    requests: 4512,
    elapsedMs: 72_900,
    leftMs: 170_000,
  };
  expect(progressLine({ clauseWord: 'must clause', ...progress }, (_, text) => text, Infinity, 'pt-BR')).toBe(
    '12 de 1.290 cláusulas obrigatórias, 1 falhou, 2 com aviso, 4.512 requisições, 1 min 12 s, faltam uns 3 min',
  );
});

describe('the summary', () => {
  test.each<[string, Partial<CheckResult>]>([
    [
      'failures with long findings',
      { ...sampleFailure, error: { ...sampleFailure.error, actual: '<'.repeat(20_000) } },
    ],
    ['reasons', { state: 'not-exercised', reason: '<'.repeat(20_000) }],
  ])('with many %s stays below what a job page takes', (_, check) => {
    const clauses = Array.from({ length: 290 }, (__, index) =>
      sampleClause(`echo.c${index}`, index % 2 === 0 ? {} : { level: 'should' }),
    );
    const outcomes = clauses.flatMap(({ id }) =>
      Array.from({ length: 8 }, () =>
        sampleOutcome(id, check.reason ? { ...check, reason: id + check.reason } : check),
      ),
    );
    const long = summaryMarkdown(modelOf(judge(sampleFacts, clauses, outcomes)));
    expect(Buffer.byteLength(long)).toBeLessThan(1_000_000);
    expect(Buffer.byteLength(long)).toBeGreaterThan(900_000);
    expect(long.match(/### (Failures|Warnings|Not exercised)\n/g)).toHaveLength(check.reason ? 1 : 2);
    expect(long).toMatch(/\n\nAnd \d+ more clauses: see the report\.\n\n/);
    expect(long).toMatch(/0 production issuances in 12,345 requests .*\.\n$/);
  });
});

describe('text from a hostile target', () => {
  const hostile = summaryMarkdown(modelOf(hostileResults(), { baseline: hostileResults() }));

  test('adds no HTML element', () => {
    const names = [...hostile.matchAll(/<\/?([^\s>]*)/g)].map(([, name]) => name);
    expect(new Set(names)).toEqual(new Set(['code', 'details', 'li', 'p', 'pre', 'summary', 'ul']));
  });

  test('starts no line and forms no heading, table cell, link, image, code, maths or mention', () => {
    const ownLines =
      /^(|#{2,3} [^&]*|Tested: .*|\| .*|<details>.*|Nonconformant.*|0 production issuances in 12,345 requests.*|- ✗ 4\.3 <code>echo\.failed<\/code>: [^<]*|### What changed since .*|Compared with .*|No clause .*)$/;
    expect(hostile.split('\n').filter((line) => !ownLines.test(line))).toEqual([]);
    const outside = hostile.replaceAll(/^[#|].*$/gm, '').replaceAll(/&#\d+;/g, '');
    expect(outside).not.toMatch(/[`*_[\]{}|\\~#@$!]|:\/\//);
  });

  test('holds no invisible character and is cut where it is very long', () => {
    expect(hostile).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    expect(hostile.length).toBeLessThan(100_000);
  });
});

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

/** What is not well-formed about a document of elements, attributes and character references, as far as we write them. */
function malformed(xml: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  const tag = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<\t\n\r]*")*)(\/?)>/g;
  const rest = xml
    .replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '')
    .replace(tag, (_, end, name, __, empty) => {
      if (end === '/' && open.pop() !== name) faults.push(String(name));
      if (end === '' && empty === '') open.push(String(name));
      return '';
    });
  const references = xml.replaceAll(/&#\d+;/g, '');
  return [...faults, ...open, ...(rest.match(/[<>]/g) ?? []), ...(references.match(/&/g) ?? [])];
}

/** The elements and attributes that the schema of Jenkins' xUnit plugin (junit-10) has, as far as we write them. */
const known: Readonly<Record<string, { in: string; attributes: string[] }>> = {
  testsuites: { in: '', attributes: ['name', 'tests', 'failures', 'errors', 'time'] },
  testsuite: {
    in: 'testsuites',
    attributes: ['name', 'tests', 'failures', 'errors', 'skipped', 'time', 'timestamp', 'file'],
  },
  properties: { in: 'testsuite', attributes: [] },
  property: { in: 'properties', attributes: ['name', 'value'] },
  testcase: { in: 'testsuite', attributes: ['classname', 'name', 'time'] },
  failure: { in: 'testcase', attributes: ['message', 'type'] },
  error: { in: 'testcase', attributes: ['message', 'type'] },
  skipped: { in: 'testcase', attributes: ['message', 'type'] },
  'system-out': { in: 'testcase', attributes: [] },
};

function unknownToJenkins(xml: string): string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, end, name = '', attributes = '', empty] of xml.matchAll(
    /<(\/?)([a-z-]+)((?: [a-z]+="[^"]*")*)(\/?)>/g,
  )) {
    if (end === '/') {
      open.pop();
      continue;
    }
    const names = [...attributes.matchAll(/ ([a-z]+)="/g)].map(([, own = '']) => own);
    if (known[name]?.in !== (open.at(-1) ?? '')) faults.push(`${name} in ${open.at(-1)}`);
    faults.push(...names.filter((own) => !known[name]?.attributes.includes(own)).map((own) => `${name} ${own}`));
    if (empty === '') open.push(name);
  }
  return [...faults, ...(/<testcase(?:(?!<testsuite)[^])*<properties/.exec(xml) ? ['properties after a case'] : [])];
}

describe('the JUnit report', () => {
  test('a suite whose checks stand in several files names none of them', () => {
    const files = ['specs/echo.a.spec.ts', 'specs/echo.b.spec.ts'];
    const outcomes = files.map((file) => sampleOutcome('echo.a', { file }));
    const split = junitReport(modelOf(judge(sampleFacts, [sampleClause('echo.a')], outcomes)));
    expect(split.match(/<testsuite /g)).toHaveLength(1);
    expect(split).not.toContain('file=');
  });

  test('a clause that no check was run for, since its shard is missing, is a skipped case', () => {
    const missing = clauseNotRun(sampleClause('echo.a'), { reason: 'was not run: shard 2/2 left no results' });
    const xml = junitReport(modelOf({ ...judge(sampleFacts, [], []), clauses: [missing] }));
    expect(xml).toContain('<skipped message="not exercised: was not run: shard 2/2 left no results"/>');
    expect(xml).toContain('tests="1" failures="0" errors="0" skipped="1"');
  });

  test.each([
    ['of every verdict', sampleResults()],
    ['in error', errorResults(sampleFacts, 'ECONNREFUSED', 'network')],
    ['with hostile texts', hostileResults()],
  ])('of a run %s is well-formed and holds only what Jenkins knows, the properties before the cases', (_, results) => {
    expect(unknownToJenkins(junitReport(modelOf(results)))).toEqual([]);
    expect(malformed(junitReport(modelOf(results)))).toEqual([]);
  });
});

describe('text from a hostile target', () => {
  const hostile = [
    junitReport(modelOf(hostileResults())),
    junitReport(modelOf(errorResults(sampleFacts, hostileText, 'network'))),
  ].join('');

  test('keeps tabs and line breaks in an attribute, and U+FFFF nowhere', () => {
    const xml = junitReport(modelOf(errorResults(sampleFacts, 'a\tb\r\nc\uffffd\ufffee', 'network')));
    expect(xml).toContain('message="a&#9;b&#13;&#10;c\ufffdd\ufffde"');
  });

  test('loses the characters that XML 1.0 forbids to U+FFFD', () => {
    expect(hostileText).toMatch(/(?![\t\n\r])\p{Cc}.*[\ufffe].*\p{Cs}/u);
    expect(hostile).not.toMatch(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Cs}/u);
    expect(hostile).toContain('\ufffd');
  });
});

test('of a value that is very long the message of a failure has the beginning', () => {
  const error = { title: 't', expected: 'x'.repeat(9_000), actual: 'y'.repeat(9_000) };
  const xml = junitReport(
    modelOf(judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a', { state: 'failed', error })])),
  );
  const message = /<failure message="([^"]*)"/.exec(xml)?.[1] ?? '';
  expect(message).toContain('y'.repeat(2_000));
  expect(message.length).toBeLessThan(4_200);
});
