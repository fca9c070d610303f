import { modelOf, type ModelSources } from './model.ts';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseResult, Results } from '../schemas/results.ts';
import { historyLineOf } from './history.ts';
import { errorResults, judge } from './judge.ts';
import {
  hostileResults,
  hostileText,
  sampleClause,
  sampleExchange,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';
import { failureLines } from './failure-lines.ts';
import { summaryLines } from './terminal.ts';
import { summaryMarkdown } from './markdown.ts';
import { progressLine } from './progress/line.ts';

const clause = sampleClause('retirement.before-subscription');
const withExchange = { ...sampleFailure, exchanges: [sampleExchange()] };

function linesOf(result: Partial<CheckResult>): string[] {
  const outcome = sampleOutcome(clause.id, result);
  const [judged] = judge(sampleFacts, [clause], [outcome]).clauses;
  return judged ? failureLines(judged, outcome.result) : [];
}

function plain(results: Results): string {
  return summaryLines(modelOf(results), { colour: false }).join('\n');
}

describe('a failure', () => {
  test('whose last evidence came to the suite shows it as received, with its event', () => {
    const headers = [['X-Service-Event', 'invoice.verify.completed']];
    const received = { request: { method: 'POST', target: '/hook', headers }, received: true, durationMs: 0 } as const;
    const lines = linesOf({ ...sampleFailure, exchanges: [received] });
    expect(lines).toContain('  request   received: POST /hook   event=invoice.verify.completed');
  });

  test('reads head, expected, actual, request, case, hint, repeat', () => {
    expect(linesOf(withExchange)).toEqual([
      'retirement.before-subscription  (4.3)  an unsubscribed application on a retired path gets 410',
      '  expected  410, code 10009034, platform envelope',
      '  actual    403, code 10009005',
      '  request   POST /openapi/nfe/verify/xml   token=$NFE_APP_SECRET_UNSUBSCRIBED  sign=9f3c…',
      '  case      {"path":"/openapi/nfe/verify/xml","body":"<a/>"}',
      '  hint      the subscription is checked before retirement',
      '  repeat    npm test -- --clause retirement.before-subscription --seed 1729 --path 0:2',
    ]);
  });

  test('says so where token or sign was not sent', () => {
    const exchange = { ...sampleExchange(), request: { method: 'GET', target: '/x', headers: [] } };
    expect(linesOf({ ...sampleFailure, exchanges: [exchange] })).toContain(
      '  request   GET /x   token=(none)  sign=(none)',
    );
  });

  test('leaves out the lines that it has no value for', () => {
    expect(linesOf({ state: 'failed' })).toEqual([
      'retirement.before-subscription  (4.3)  the rule of retirement.before-subscription holds',
    ]);
  });

  test('keeps further lines of a value below its first, and cuts a value of many lines', () => {
    const lines = linesOf({ state: 'failed', error: { title: 't', expected: 'a\nb', actual: 'y\n'.repeat(50) } });
    expect(lines.slice(1, 4)).toEqual(['  expected  a', '            b', '  actual    y']);
    expect(lines.at(-1)).toBe('            … (51 lines)');
    expect(lines.length).toBeLessThan(30);
  });
});

describe('the summary', () => {
  test('tells what was tested, the verdict, a line for each finding, and then what could not be told', () => {
    const lines = summaryLines(modelOf(sampleResults()), { colour: false });
    expect(lines.slice(0, 5)).toEqual([
      '2026-11-21 02:00:00 UTC  sandbox http://127.0.0.1:8080, build simulator 0.1.0; suite 0.1.0 (1a2b3c4d5e6f)',
      expect.stringMatching(/^Nonconformant: 1 of 4 must clauses failed, .* \(seed 1729\)\.$/),
      'No level complete; level secret: 3 of 4 exercised.',
      '',
      '✗ 4.3  retirement.before-subscription: a request is answered 403, code 10009005; expected: 410, code 10009034, platform envelope (breaks 3 clauses)',
    ]);
    const rest = lines.slice(5).join('\n');
    for (const part of [
      'Known deviations: echo.known (TICKET-12)',
      'Flaky: echo.passed',
      'Not exercised: 1 must clause\n  1  needs a clock',
      'Withheld: 1 must clause\n  1  it might issue a real invoice',
    ])
      expect(rest).toContain(part);
  });

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

  test('says what holds again since the earlier run, and what is new', () => {
    const broken = judge(sampleFacts, [clause], [sampleOutcome(clause.id, sampleFailure)]);
    const whole = judge(
      { ...sampleFacts, startedAt: '2026-11-22T02:00:00.000Z' },
      [clause],
      [sampleOutcome(clause.id)],
    );
    const fixed = summaryLines(modelOf(whole, { baseline: broken }), { colour: false });
    expect(fixed.at(-1)).toBe('Fixed since 2026-11-21 02:00:00 UTC: retirement.before-subscription');
    const later = { ...broken, startedAt: '2026-11-23T02:00:00.000Z' };
    const dated = modelOf(later, { history: [historyLineOf(whole, '0.1.0')] });
    expect(summaryLines(dated, { colour: false })[4]).toContain('(breaks 1 clause, new since the last run)');
  });

  test('says nothing of since when where no earlier run is known, and that it is new where a baseline had it right', () => {
    const broken = judge(sampleFacts, [clause], [sampleOutcome(clause.id, sampleFailure)]);
    const baseline = judge(sampleFacts, [clause], [sampleOutcome(clause.id)]);
    const toldBy = (before: ModelSources): string | undefined =>
      summaryLines(modelOf(broken, before), { colour: false }).find((line) => line.includes('breaks'));
    expect(toldBy({ history: [] })).toMatch(/\(breaks 1 clause\)$/);
    expect(toldBy({ history: [], baseline })).toContain('(breaks 1 clause, new since the last run)');
  });

  test('lists as flaky what did not fail: a failure tells of its own repetitions', () => {
    const flaky = ['failed', 'passed'];
    const of = (rest: object): string => plain(judge(sampleFacts, [clause], [sampleOutcome(clause.id, rest)]));
    expect(of({ flaky })).toContain('Flaky: retirement.before-subscription');
    expect(of({ ...sampleFailure, flaky })).not.toContain('Flaky');
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

const inPortuguese = (english: string): string => english.replace('needs a clock', 'precisa de um relógio');
const spoken = modelOf(sampleResults(), { inPortuguese });

test('the summary of a terminal speaks Portuguese but for what comes from the catalogue and from the run', () => {
  const lines = summaryLines(spoken, { colour: false, language: 'pt-BR' });
  const text = lines.join('\n');
  for (const part of [
    '✗ 4.3  retirement.before-subscription: ',
    '(quebra 3 cláusulas)',
    'Desvios conhecidos: echo.known (TICKET-12)',
    'Instáveis: echo.passed',
    'Não exercitadas: 1 cláusula obrigatória\n  1  precisa de um relógio',
    'Não conforme: 1 de 4 cláusulas obrigatórias falhou',
  ]) {
    expect(text).toContain(part);
  }
});

test('a failure has its labels in Portuguese, its values below each other', () => {
  const clause = sampleClause('retirement.before-subscription');
  const { result } = sampleOutcome(clause.id, { ...sampleFailure, exchanges: [sampleExchange()] });
  const [judged] = judge(sampleFacts, [clause], [{ clause: clause.id, result }]).clauses;
  const labels =
    judged &&
    failureLines(judged, result, 'pt-BR')
      .slice(1)
      .map((line) => line.slice(2, 14).trim());
  expect(labels).toEqual(['esperado', 'obtido', 'requisição', 'caso', 'pista', 'repetir']);
});

test('the summary of a CI job speaks Portuguese', () => {
  const text = summaryMarkdown(spoken, 'pt-BR');
  for (const part of [
    '## ✗ Não conforme',
    '| tópico | ✓ passou |',
    '### Falhas',
    '### Avisos',
    '<p>precisa de um relógio</p>',
    ' emissões em produção em ',
  ]) {
    expect(text).toContain(part);
  }
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
