import { modelOf } from './model.ts';
import { describe, expect, test } from 'vitest';
import { clauseNotRun, errorResults, judge } from './judge.ts';
import { junitReport } from './junit.ts';
import {
  hostileResults,
  hostileText,
  sampleClause,
  sampleFacts,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';

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
