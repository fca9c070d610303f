import { describe, expect, test } from 'vitest';
import { errorResults, judge } from './judge.ts';
import { junitReport } from './junit.ts';
import { hostileResults, hostileText, sampleClause, sampleFacts, sampleOutcome, sampleResults } from './sample-run.ts';

const report = junitReport(sampleResults());

function caseOf(id: string): string {
  const start = report.indexOf(`<testcase classname="${id}"`);
  return report.slice(start, report.indexOf('\n    <testcase', start + 1)).split('</testsuite>')[0] ?? '';
}

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

describe('the JUnit report', () => {
  test('has one suite a topic and one case a check, with counts and seconds', () => {
    expect(report).toContain(
      '<testsuites name="NF-e conformance" tests="6" failures="1" errors="0" skipped="4" time="0.072">',
    );
    expect(report).toMatch(
      /<testsuite name="echo" tests="5" failures="0" errors="0" skipped="4" time="0\.060" timestamp="2026-/,
    );
    expect(report).toMatch(/<testsuite name="retirement" tests="1" failures="1" errors="0" skipped="0" time="0\.012"/);
    expect(report.match(/<testcase /g)).toHaveLength(6);
  });

  test('a passed check is an empty case that names clause, check, file and seconds', () => {
    expect(report).toContain(
      '<testcase classname="echo.passed" name="the rule of echo.passed holds" file="specs/echo.spec.ts" time="0.012"/>',
    );
  });

  test('a failed check of a failed clause is a failure with its evidence', () => {
    const failure = caseOf('retirement.before-subscription');
    expect(failure).toMatch(
      /<failure message="expected: 410, code 10009034.*; actual: 403, code 10009005" type="must">/,
    );
    expect(failure).toContain(
      '  repeat    npm test -- --clause retirement.before-subscription --seed 1729 --path 0:2</failure>',
    );
  });

  test.each([
    ['echo.known', 'known deviation: TICKET-12'],
    ['echo.warned', 'warned (implied): expected: 410, code 10009034, platform envelope; actual: 403, code 10009005'],
  ])('a failed check of %s is skipped, so that a job stays green, and shows its evidence', (id, message) => {
    expect(caseOf(id)).toContain(`<skipped message="${message}"/><system-out>${id}  (4.3)  an unsubscribed`);
    expect(caseOf(id)).not.toContain('<failure');
  });

  test('an unexercised check is skipped with its reason', () => {
    expect(caseOf('echo.open')).toContain('<skipped message="not exercised: needs a clock"/>');
  });

  test('a clause that fails on a stale list has a failed case of its own', () => {
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': 'TICKET-12' } };
    const stale = junitReport(judge(facts, [sampleClause('echo.a')], [sampleOutcome('echo.a')]));
    expect(stale).toContain('tests="2" failures="1"');
    expect(stale).toMatch(
      /name="the list of known deviations is up to date" time="0\.000"><failure message="the list .* stale/,
    );
  });

  test('an error run is one case with an error', () => {
    const error = junitReport(errorResults(sampleFacts, 'ECONNREFUSED', 'network'));
    expect(error).toContain('tests="1" failures="0" errors="1" skipped="0"');
    expect(error).toMatch(
      /<testcase classname="run" name="the target can be tested" time="83\.400"><error message="ECONNREFUSED"/,
    );
  });

  test('is well-formed', () => {
    expect(malformed(report)).toEqual([]);
  });
});

describe('text from a hostile target', () => {
  const hostile = [junitReport(hostileResults()), junitReport(errorResults(sampleFacts, hostileText, 'network'))].join(
    '',
  );

  test('leaves the report well-formed', () => {
    expect(malformed(junitReport(hostileResults()))).toEqual([]);
    expect(hostile).not.toContain('<img');
  });

  test('loses the characters that XML 1.0 forbids to U+FFFD', () => {
    expect(hostileText).toMatch(/(?![\t\n\r])\p{Cc}.*[\ufffe].*\p{Cs}/u);
    expect(hostile).not.toMatch(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Cs}/u);
    expect(hostile).toContain('\ufffd');
  });

  test('keeps line breaks of an attribute as references', () => {
    expect(hostile).toContain('&#13;&#10;## Conformant&#13;&#10;');
  });
});
