import { modelOf } from './model.ts';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../schemas/results.ts';
import { errorResults, judge } from './judge.ts';
import { summaryMarkdown } from './markdown.ts';
import {
  hostileResults,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';

const summary = summaryMarkdown(modelOf(sampleResults()));
const earlier = judge(
  sampleFacts,
  [sampleClause('echo.passed'), sampleClause('echo.open')],
  [sampleOutcome('echo.passed', sampleFailure), sampleOutcome('echo.open')],
);

describe('the summary', () => {
  test('starts with verdict, what was tested by what, and sentence', () => {
    expect(summary).toMatch(
      /^## ✗ Nonconformant\n\nTested: sandbox http.*, build simulator 0\.1\.0; suite 0\.1\.0 \S+\n\nNonconformant&#58; 1 of 4 must clauses failed, 1 was not exercised, /,
    );
  });

  test('tells the findings first, a line each', () => {
    expect(summary).toMatch(
      /### Findings\n\n- ✗ 4\.3 <code>retirement\.before-subscription<\/code>: a request is answered 403, code 10009005; .* \(breaks 3 clauses\)\n/,
    );
  });

  test('has a table by topic and rows for the whole', () => {
    expect(summary).toContain('| topic | ✓ passed | ✗ failed | ◇ known | ! warned |');
    expect(summary).toContain('| <code>echo</code> | 1 |  | 1 | 1 | 1 |  | 1 | 1 | 6 | 6 |');
    expect(summary).toContain('| must clauses | 1 | 1 | 1 |  | 1 |  | 1 | 1 | 6 | 6 |');
    expect(summary).toContain('| every level | 1 | 1 | 1 | 1 | 1 |  | 1 | 1 | 7 | 7 |');
  });

  test('folds each failure, with the lines that the terminal shows', () => {
    expect(summary).toMatch(
      /### Failures\n\n<details><summary><code>retirement\.before-subscription<\/code> .*<pre>.*&#10; {2}actual {4}403, code.*<\/pre><\/details>\n/,
    );
    expect(summary).toMatch(/### Warnings\n\n<details>.*echo\.warned/);
    expect(summary).toMatch(/### Known deviations\n\n<details>.*echo\.known.*TICKET-12/);
  });

  test('groups what was not exercised by reason', () => {
    expect(summary).toContain(
      '<summary>1 must clause not exercised</summary><p>needs a clock</p><ul><li><code>echo.open</code></li></ul>',
    );
  });

  test('says what changed since a baseline', () => {
    const compared = summaryMarkdown(modelOf(sampleResults(), { baseline: earlier }));
    expect(compared).toContain('### What changed since 2026-11-21');
    expect(compared).toContain(
      '- Newly failed: <code>retirement.before-subscription</code>, <code>echo.warned</code>\n',
    );
    expect(compared).toContain('- Fixed: <code>echo.passed</code>\n- Stopped running: <code>echo.open</code>\n');
    expect(summaryMarkdown(modelOf(earlier, { baseline: earlier }))).toContain(
      'No clause that both runs judged came to another verdict, or broke otherwise.',
    );
    expect(summary).not.toContain('What changed');
  });

  test('of a run that ended in an error, or is compared with such a one, says that nothing is compared', () => {
    const error = errorResults(sampleFacts, 'ECONNREFUSED', 'network');
    const [now, before] = [
      summaryMarkdown(modelOf(error, { baseline: earlier })),
      summaryMarkdown(modelOf(earlier, { baseline: error })),
    ];
    expect(now).toContain('\n\nThis run ended in an error, so it is not compared.\n');
    expect(before).toContain('\n\nThat run ended in an error, so nothing is compared with it.\n');
    for (const text of [now, before]) expect(text).not.toContain('No clause that both runs judged');
  });

  test('names the target of the run that it is compared with, and says where that is another', () => {
    const place = 'sandbox, http&#58;//127.0.0.1&#58;8080';
    const same = summaryMarkdown(modelOf(sampleResults(), { baseline: earlier }));
    expect(same).toContain(`\nCompared with a run on ${place}.\n`);
    const elsewhere = { ...earlier, target: { ...earlier.target, baseUrl: 'https://nfe.example' } };
    expect(summaryMarkdown(modelOf(sampleResults(), { baseline: elsewhere }))).toContain(
      `\n**That run tested another target**: sandbox, https&#58;//nfe.example; this one: ${place}.\n`,
    );
  });

  test('tells of a stale known deviation under a heading of its own', () => {
    const facts = { ...sampleFacts, knownDeviations: { 'echo.a': 'TICKET-1' } };
    const stale = summaryMarkdown(modelOf(judge(facts, [sampleClause('echo.a')], [sampleOutcome('echo.a')])));
    expect(stale).toMatch(/### Stale known deviations\n\n<details>.*echo\.a.*TICKET-1/);
    expect(stale).not.toContain('### Failures');
  });

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
