import { describe, expect, test } from 'vitest';
import { maskFor } from '../../trace/mask.ts';
import { notSet, ok, problem, warning } from '../../runner/preflight/finding.ts';
import { asJson, conclusion, doctorLines, findingLine, shown } from './doctor-lines.ts';

const mask = maskFor(new Map([['s3cret', '$NFE_APP_SECRET']]));
const coverage = { exercised: 62, judged: 66, lacking: new Map(), withheld: [] };

describe('a finding is made fit to be shown', () => {
  test('secrets are masked in every text of it', () => {
    const finding = shown(problem('a s3cret', 'b s3cret', 'c s3cret'), mask);
    expect(JSON.stringify(finding)).not.toContain('s3cret');
    expect(finding.advice).toBe('c $NFE_APP_SECRET');
  });

  test('what steers a terminal is spelt out', () => {
    expect(shown(ok('x', 'a\u001b[2Jb\nc'), mask).found).toBe(String.raw`a\u{1b}[2Jb\nc`);
  });

  test('a secret is masked before a long text is cut', () => {
    expect(shown(ok('x', `${'a'.repeat(597)}s3cret`), mask).found).not.toContain('s3');
  });
});

test('a line has a sign, a word, what was examined, what was found and what to do', () => {
  expect(findingLine(problem('echo', 'nobody', 'call again'), false)).toBe('✗ problem  echo: nobody → call again');
  expect(findingLine(notSet('NFE_APP_KEY', 'unset'), false)).toBe('○ not set  NFE_APP_KEY: unset');
  expect(findingLine(ok('echo', 'there'), true)).toBe('\u001b[32m✓ ok     \u001b[39m  echo: there');
});

describe('the conclusion', () => {
  test.each([
    ['all is well', [ok('a', 'b')], true, 'Ready: npm test will exercise 62 of 66 must clauses'],
    [
      'warnings are let pass',
      [warning('a', 'b', 'c')],
      true,
      'Ready: npm test will exercise 62 of 66 must clauses (1 warning)',
    ],
    ['a problem is not', [problem('a', 'b', 'c'), problem('a', 'b', 'c')], false, 'Not ready: 2 problems'],
  ])('%s', (_, findings, isReady, sentence) => {
    expect(conclusion(findings, coverage)).toMatchObject({ isReady, sentence });
    expect(JSON.parse(asJson(findings, coverage))).toMatchObject({
      format: 'nfe-conformance/doctor@1',
      ready: isReady,
      conclusion: sentence,
      findings,
    });
  });

  test('without a coverage there is no readiness', () => {
    expect(conclusion([problem('a', 'b', 'c')], undefined).isReady).toBe(false);
  });
});

describe('the lines of the doctor', () => {
  test('are 13 at most, whatever was found', () => {
    const names = ['settings', 'DNS', 'echo', 'NFE_APP_SECRET', 'subscriptions', 'control API', 'webhook receiver'];
    const all = [...names, 'profile', 'clauses'].flatMap((name) => [
      ok(name, 'x'),
      notSet(name, 'y'),
      warning(name, 'z', 'do'),
    ]);
    const lines = doctorLines([...all, problem('TLS', 'broken', 'mend')], false);
    expect(lines.length).toBeLessThanOrEqual(13);
    expect(lines[0]).toBe('✗ problem  TLS: broken → mend');
    expect(lines.join('\n')).toContain('… and 7 more');
  });

  test('tell what is unset by its name, beside what is in order', () => {
    expect(doctorLines([ok('NFE_APP_SECRET', 'active'), notSet('NFE_APP_KEY', 'not compared')], false)).toEqual([
      '✓ ok       secrets: NFE_APP_SECRET active; not set: NFE_APP_KEY',
    ]);
  });
});
