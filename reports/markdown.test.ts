import { modelOf } from './model.ts';
import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../schemas/results.ts';
import { judge } from './judge.ts';
import { summaryMarkdown } from './markdown.ts';
import { hostileResults, sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';

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
