import { expect, test } from 'vitest';
import { earlierOf } from '../changes.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleOutcome, sampleResults } from '../testing/sample-run.ts';
import { changesSection } from './changes.ts';

const results = sampleResults();

test('where no earlier run is known, that is said', () => {
  expect(changesSection(undefined, results).html).toMatch(/What changed<.*No earlier run of the same on this target/s);
});

test('the run that it is compared with is told of in both languages', () => {
  const { html } = changesSection(earlierOf(results), results);
  expect(html).toMatch(/02:00:00 UTC, http:\/\/127\.0\.0\.1:8080, <.*>seed<.*>semente<.*> 1729\./);
  expect(html).not.toContain('another target');
});

test.each([
  ['an address of its own', { baseUrl: 'https://nfe.example' }, true],
  ['a kind of its own', { kind: 'embedded' }, true],
  ['another build', { implementation: 'simulator 0.2.0' }, false],
])('a run on a target with %s is of another target: %o, %s', (_, target, isOther) => {
  const before = { ...results, target: { ...results.target, ...target } };
  expect(changesSection(earlierOf(before), results).html.includes('tested another target')).toBe(isOther);
});

test('an embedded simulator is the same target at any address', () => {
  const at = (baseUrl: string) => ({ ...results, target: { ...results.target, kind: 'embedded', baseUrl } });
  const { html } = changesSection(earlierOf(at('http://127.0.0.1:1')), at('http://127.0.0.1:2'));
  expect(html).not.toContain('another target');
});

test('checks that stopped running are named with their clauses', () => {
  const before = earlierOf(results);
  const checks = new Map([
    ...(before.checks ?? []),
    ['echo.passed', new Set(['the rule of echo.passed holds', 'gone'])],
  ]);
  const { html } = changesSection({ ...before, checks }, results);
  expect(html).toMatch(
    /Stopped running<.*>: 1<\/dt><dd><ul><li><a href="#clause-echo\.passed"><code>echo\.passed<\/code><\/a>: gone<\/li><\/ul>/,
  );
});

test.each([
  [12, false],
  [13, true],
])('of %d clauses that started running the list is folded: %s', (count, isFolded) => {
  const ids = Array.from({ length: count }, (_, index) => `echo.c${index}`);
  const now = judge(
    sampleFacts,
    ids.map((id) => sampleClause(id)),
    ids.map((id) => sampleOutcome(id)),
  );
  const { html } = changesSection({ ...earlierOf(now), verdicts: new Map() }, now);
  expect(html.match(/<li>/g)).toHaveLength(count);
  expect(html.includes('<details><summary>')).toBe(isFolded);
});
