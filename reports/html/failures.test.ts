import { describe, expect, test } from 'vitest';
import type { CheckResult } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { noEvidence } from './evidence-plan.ts';
import { modelOf } from '../model.ts';
import { failureSections } from './failures.ts';
import { markup } from './markup.ts';

/** The sections of a run whose clauses came to these checks. */
function sectionsOf(checks: Readonly<Record<string, Partial<CheckResult>>>): string {
  const results = judge(
    { ...sampleFacts, knownDeviations: { 'echo.stale': 'TICKET-1' } },
    Object.keys(checks).map((id) => sampleClause(id)),
    Object.entries(checks).map(([id, check]) => sampleOutcome(id, check)),
  );
  const room = { block: 5_000, line: 500 };
  const model = modelOf(results);
  const sections = failureSections(model, { room, evidence: noEvidence(model) });
  return markup`${sections}`.html;
}

describe('a known deviation that is stale', () => {
  const html = sectionsOf({ 'echo.broken': sampleFailure, 'echo.stale': {} });
  const section = html.slice(html.indexOf('<section id="stale"'));

  test('has a section of its own behind the failures, which says that it holds and what to do', () => {
    expect(html).toMatch(/<section id="failures".*<h2 [^>]*>.*Failures<.*: 1<\/h2>.*<section id="stale"/s);
    expect(section).toContain('an entry names what holds now, or has run out. Correct the list.');
    expect(section).toContain('id="failure-echo.stale"');
    expect(section).not.toContain('breaks the contract');
  });

  test('is called a stale entry, gives the reason, and no time since when it would not hold', () => {
    expect(section).toMatch(/<h3 .*<span class="verdict failed">.*>stale entry</);
    expect(section).toContain('TICKET-1');
    expect(section).not.toContain('no earlier run known');
    expect(html.slice(0, html.indexOf('<section id="stale"'))).toContain('no earlier run known');
  });

  test('is no section of a run without one', () => {
    expect(sectionsOf({ 'echo.broken': sampleFailure })).not.toContain('id="stale"');
    expect(sectionsOf({ 'echo.stale': {} })).not.toContain('id="failures"');
  });
});

describe('a failure', () => {
  test('tells that its check was flaky, and how it came out', () => {
    const html = sectionsOf({ 'echo.a': { ...sampleFailure, flaky: ['failed', 'passed'] } });
    expect(html).toMatch(/Flaky<.*“the rule of echo\.a holds” .*came to<.* failed, passed\./);
  });

  test.each([
    ['npm test -- --clause echo.a --seed 1 --path 0:2', 'Smallest case', 'Menor caso'],
    ['npm test -- --clause echo.a --seed 1 --path 12', 'Case', 'Caso'],
    ["npm test -- --clause echo.a --seed 1 --path 0 --check 'at 1:2'", 'Case', 'Caso'],
  ])('that repeats with %s shows its “%s”', (replay, english, portuguese) => {
    expect(sectionsOf({ 'echo.a': { ...sampleFailure, replay } })).toContain(
      `<dt><span class="said"><span lang="en">${english}</span><span lang="pt-BR">${portuguese}</span></span></dt>`,
    );
  });

  test('quotes what the contract says of its clause, escaped, in English whichever language the page is in', () => {
    const html = sectionsOf({ 'retirement.english-text': sampleFailure });
    expect(html).toMatch(
      /<blockquote><p><span lang="en">[^<]*The message is <code>This API has been retired, please use &#60;replacement&#62; instead<\/code>[^<]*<\/span> <cite>.*contrato.*, 7\.2<\/cite><\/p><\/blockquote>/,
    );
  });

  test('tells how a doubtful place of its clause is read', () => {
    const html = sectionsOf({ 'webhook-delivery.redirect-not-followed': sampleFailure });
    expect(html).toMatch(/Leitura<\/span><\/span> 31: <span lang="en">A redirect is a failed attempt/);
  });

  test('of a clause of another edition quotes nothing', () => {
    expect(sectionsOf({ 'echo.unheard-of': sampleFailure })).not.toContain('<blockquote>');
  });
});
