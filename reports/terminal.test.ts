import { modelOf, type ModelSources } from './model.ts';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { CheckResult, ClauseResult, Results } from '../schemas/results.ts';
import { errorResults, judge } from './judge.ts';
import {
  hostileResults,
  hostileText,
  sampleClause,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';
import { failureLines } from './failure-lines.ts';
import { summaryLines } from './terminal.ts';
import { progressLine } from './progress/line.ts';

const clause = sampleClause('retirement.before-subscription');

function linesOf(result: Partial<CheckResult>): string[] {
  const outcome = sampleOutcome(clause.id, result);
  const [judged] = judge(sampleFacts, [clause], [outcome]).clauses;
  return judged ? failureLines(judged, outcome.result) : [];
}

function plain(results: Results): string {
  return summaryLines(modelOf(results), { colour: false }).join('\n');
}

describe('a failure', () => {
  test('keeps further lines of a value below its first, and cuts a value of many lines', () => {
    const lines = linesOf({ state: 'failed', error: { title: 't', expected: 'a\nb', actual: 'y\n'.repeat(50) } });
    expect(lines.slice(1, 4)).toEqual(['  expected  a', '            b', '  actual    y']);
    expect(lines.at(-1)).toBe('            … (51 lines)');
    expect(lines.length).toBeLessThan(30);
  });
});

describe('the summary', () => {
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

  test('says nothing of since when where no earlier run is known, and that it is new where a baseline had it right', () => {
    const broken = judge(sampleFacts, [clause], [sampleOutcome(clause.id, sampleFailure)]);
    const baseline = judge(sampleFacts, [clause], [sampleOutcome(clause.id)]);
    const toldBy = (before: ModelSources): string | undefined =>
      summaryLines(modelOf(broken, before), { colour: false }).find((line) => line.includes('breaks'));
    expect(toldBy({ history: [] })).toMatch(/\(breaks 1 clause\)$/);
    expect(toldBy({ history: [], baseline })).toContain('(breaks 1 clause, new since the last run)');
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
