import { describe, expect, test } from 'vitest';
import type { CheckResult, ExchangeEvidence } from '../../schemas/results.ts';
import { judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { noEvidence } from './evidence-plan.ts';
import { modelOf } from '../model.ts';
import { failureSections, timelineOf } from './failures.ts';
import { markup } from './markup.ts';

const path = '/openapi/v2/empresas/1/nf-e';

function exchange(method: string, at: number, durationMs: number, status?: string): ExchangeEvidence {
  const text = JSON.stringify({ data: { status } });
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const target = method === 'POST' ? path : `${path}/a`;
  return { request: { method, target, headers: [] }, at, durationMs, response: { status: 200, headers: [], body } };
}

function drawing(exchanges: ExchangeEvidence[], rest: Partial<CheckResult> = {}): string {
  return timelineOf(sampleOutcome('echo.a', { ...sampleFailure, ...rest, exchanges }).result)?.html ?? '';
}

const first = exchange('POST', 1000, 20);
const race = [first, exchange('DELETE', 1100, 40), exchange('GET', 1110, 10, 'Autorizada')];

describe('requests of a failure that were under way at once', () => {
  const html = drawing(race);

  test('are drawn a row each, from when each was sent until it was answered', () => {
    expect(html.match(/<rect x="(\d+)" y="\d+" width="(\d+)"/g)).toEqual([
      '<rect x="0" y="20" width="640"',
      '<rect x="160" y="56" width="160"',
    ]);
    expect(html).toContain('3. GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} → 200 Autorizada</text>');
  });

  test('are told to a screen reader in both languages, the drawing being for the eye alone', () => {
    expect(html).toMatch(/<svg [^>]*aria-hidden="true">/);
    expect(html).toMatch(/<ol class="unseen">.*GET .*sent at 10 ms, answered at 20 ms<.*enviada em 10 ms/s);
  });

  test('have the one marked whose answer is accused: the last that the failure tells of', () => {
    expect(html.match(/✗/g)).toHaveLength(1);
    expect(html).toMatch(/✗ 3\. GET/);
    expect(html.match(/this answer is accused/g)).toHaveLength(1);
  });
});

test('requests that were sent one after another are not drawn', () => {
  expect(drawing([first, exchange('GET', 1020, 10)])).toBe('');
});

test('of what was seen in passing only that is drawn which shows it together, and what came before stands at the edge', () => {
  const inPassing = { inPassing: true } as const;
  const html = drawing([exchange('PUT', 1105, 30), ...race], { ...inPassing, together: 3 });
  expect(html).not.toContain('PUT');
  expect(html).toContain('<rect x="0" y="20" width="3"');
  expect(drawing(race, inPassing)).toBe('');
});

test('a target that lets many requests wait at once does not fill the page', () => {
  const many = Array.from({ length: 50 }, (_, at) => exchange('GET', 1000 + at, 1000));
  expect(drawing(many).match(/<rect /g)).toHaveLength(12);
});

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
