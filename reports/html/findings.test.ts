import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { hostileText, sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { findingsSection } from './findings.ts';
import { mapSection } from './history.ts';

const broken = 'retirement.before-subscription';
const right = 'echo.bare';

function run(result: Partial<CheckResult>) {
  const clauses = [sampleClause(broken), sampleClause(right)];
  return judge(sampleFacts, clauses, [sampleOutcome(broken, result), sampleOutcome(right)]);
}

describe('the findings of a page', () => {
  test('are a line each, with the section and a link to the failure that names it', () => {
    const html = findingsSection(run(sampleFailure))?.html ?? '';
    expect(html.match(/<li id="finding-/g)).toHaveLength(1);
    expect(html).toContain('section');
    expect(html).toContain(`<a href="#failure-${broken}">`);
  });

  test('are not there where all holds', () => {
    expect(findingsSection(run({}))).toBeUndefined();
  });

  test('have no markup of the target’s', () => {
    const { error } = sampleFailure;
    const html = findingsSection(run({ ...sampleFailure, error: { ...error, actual: hostileText } }))?.html ?? '';
    expect(html).not.toMatch(/<(script|img)/i);
  });
});

describe('the map of a page', () => {
  test('has a sign for each clause of a topic, and says how many of which', () => {
    const html = mapSection(run(sampleFailure)).html;
    expect(html).toContain('href="#topic-retirement"');
    expect(html).toContain('<span class="failed">✗</span>');
    expect(html).toContain('1 failed');
  });

  test('tells what is blocked from what was not exercised', () => {
    const results = run(sampleFailure);
    const [first, ...others] = results.clauses;
    if (!first) throw new Error('no clause');
    const clauses = [{ ...first, verdict: 'blocked' as const, blockedBy: [right] }, ...others];
    expect(mapSection({ ...results, clauses }).html).toContain('<span class="blocked">◌</span>');
    expect(mapSection(results).html).not.toContain('blocked');
  });
});
