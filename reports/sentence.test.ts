import { describe, expect, test } from 'vitest';
import type { Clause } from '../contract/clause.ts';
import type { CheckOutcome } from '../schemas/results.ts';
import { errorResults, judge, type RunFacts } from './judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from './testing/sample-run.ts';
import { bareVerdictSentence, verdictSentence } from './sentence.ts';

const where = 'on http://127.0.0.1:8080 (seed 1729).';
const passing = [sampleClause('echo.a'), sampleClause('echo.b')];
const passed = passing.map(({ id }) => sampleOutcome(id));

function sentence(clauses: Clause[], outcomes: CheckOutcome[], facts: Partial<RunFacts> = {}): string {
  return bareVerdictSentence(
    judge({ ...sampleFacts, ...facts }, [...passing, ...clauses], [...passed, ...outcomes]),
    'en',
  );
}

test('a conformant run says that all must clauses passed', () => {
  expect(sentence([], [])).toBe(`Conformant: all 2 must clauses passed, ${where}`);
});

test('a run of the whole suite says in a second sentence how far it reached', () => {
  const whole = judge(sampleFacts, passing, passed);
  expect(verdictSentence(whole)).toBe(
    `${bareVerdictSentence(whole, 'en')} Level control complete: all 2 must clauses that it can exercise hold.`,
  );
  expect(verdictSentence(whole, 'pt-BR')).toMatch(/\. Nível control completo: todas as 2 cláusulas obrigatórias /);
});

test('must clauses that were withheld are told apart, and counted in no other number', () => {
  const withheld = sampleClause('echo.c', { needs: ['real-issuance'] });
  const open = sampleOutcome('echo.c', { state: 'not-exercised', reason: 'r' });
  expect(sentence([withheld], [open], { mayIssueForReal: false })).toBe(
    `Conformant: all 2 must clauses passed, 1 was withheld, ${where}`,
  );
  const alone = judge({ ...sampleFacts, mayIssueForReal: false }, [withheld], [open]);
  expect(bareVerdictSentence(alone, 'pt-BR')).toMatch(
    /^Conforme: nenhuma cláusula obrigatória foi julgada, 1 foi retida, em /,
  );
});

test('a run of one must clause has its own word for all of them', () => {
  const one = judge(sampleFacts, [sampleClause('echo.a')], [sampleOutcome('echo.a')]);
  expect(bareVerdictSentence(one, 'en')).toBe(`Conformant: the one must clause passed, ${where}`);
  expect(verdictSentence(one, 'pt-BR')).toMatch(/^Conforme: a única cláusula obrigatória passou, em /);
});

test('an incomplete run says how many must clauses were not exercised', () => {
  const open = sampleOutcome('echo.c', { state: 'not-exercised', reason: 'r' });
  expect(sentence([sampleClause('echo.c')], [open])).toBe(
    `Incomplete: 2 of 3 must clauses passed, 1 was not exercised, ${where}`,
  );
});

test('a nonconformant run says how many must clauses failed', () => {
  const failed = ['echo.c', 'echo.d', 'echo.e'].map((id) => sampleOutcome(id, sampleFailure));
  const open = ['echo.f', 'echo.g'].map((id) => sampleOutcome(id, { state: 'not-exercised', reason: 'r' }));
  const clauses = [...failed, ...open].map((outcome) => sampleClause(outcome.clause));
  expect(sentence(clauses, [...failed, ...open])).toBe(
    `Nonconformant: 3 of 7 must clauses failed, 2 were not exercised, ${where}`,
  );
});

test('clauses that fail only under strict are counted apart', () => {
  const implied = sampleClause('echo.c', { level: 'implied' });
  expect(sentence([implied], [sampleOutcome('echo.c', sampleFailure)], { strict: true })).toBe(
    `Nonconformant: all 2 must clauses passed, 1 of 1 others failed, ${where}`,
  );
});

test('a clause that is no must clause and only stands on a stale list is not counted as failed', () => {
  const implied = sampleClause('echo.c', { level: 'implied' });
  expect(sentence([implied], [sampleOutcome('echo.c')], { knownDeviations: { 'echo.c': 'T' } })).toBe(
    `Nonconformant: all 2 must clauses passed, 1 known deviation is stale, ${where}`,
  );
});

test('a stale list, known deviations and warnings are named', () => {
  const clauses = [sampleClause('echo.c'), sampleClause('echo.d'), sampleClause('echo.e', { level: 'should' })];
  const outcomes = [
    sampleOutcome('echo.c'),
    sampleOutcome('echo.d', sampleFailure),
    sampleOutcome('echo.e', sampleFailure),
  ];
  expect(sentence(clauses, outcomes, { knownDeviations: { 'echo.c': 't', 'echo.d': 't' } })).toBe(
    `Nonconformant: 2 of 4 must clauses passed, 1 known deviation is stale, 1 known deviation, 1 warning, ${where}`,
  );
});

test('a filtered run says what was asked for', () => {
  expect(sentence([], [], { filter: '--clause echo.*' })).toBe(
    `Conformant, as far as asked for (--clause echo.*): all 2 must clauses passed, ${where}`,
  );
});

test('a run without a judged clause says so', () => {
  const results = judge(sampleFacts, [sampleClause('echo.x', { binds: 'client' })], []);
  expect(verdictSentence(results)).toBe(`Conformant: there was no clause to judge, ${where}`);
});

test('an error run gives its message and no count', () => {
  expect(verdictSentence(errorResults(sampleFacts, 'GET /: ECONNREFUSED.\n', 'network'))).toBe(
    'Error: no clause was judged on http://127.0.0.1:8080 (seed 1729): GET /: ECONNREFUSED.',
  );
});

test('a known deviation is stale also where only a part of its checks was exercised', () => {
  const open = sampleOutcome('echo.a', { name: 'the other half', state: 'not-exercised', reason: 'r' });
  expect(sentence([], [open], { knownDeviations: { 'echo.a': 'T-1' } })).toBe(
    `Nonconformant: 1 of 2 must clauses passed, 1 known deviation is stale, ${where}`,
  );
});

describe('in Portuguese the sentence', () => {
  const said = (clauses: Clause[], outcomes: CheckOutcome[], facts: Partial<RunFacts> = {}): string =>
    bareVerdictSentence(judge({ ...sampleFacts, ...facts }, clauses, outcomes), 'pt-BR');
  const onde = 'em http://127.0.0.1:8080 (semente 1729).';
  const must = ['echo.a', 'echo.b', 'echo.c'].map((id) => sampleClause(id));
  const all = must.map(({ id }) => sampleOutcome(id));
  const open = sampleOutcome('echo.c', { state: 'not-exercised', reason: 'r' });

  test('says that all must clauses passed', () => {
    expect(said(must, all)).toBe(`Conforme: todas as 3 cláusulas obrigatórias passaram, ${onde}`);
  });

  test('says how many failed and how many were not exercised', () => {
    expect(said(must, [sampleOutcome('echo.a', sampleFailure), ...all.slice(1, 2), open])).toBe(
      `Não conforme: 1 de 3 cláusulas obrigatórias falhou, 1 não foi exercitada, ${onde}`,
    );
  });

  test('says what is listed, stale or a warning', () => {
    const implied = sampleClause('echo.d', { level: 'implied' });
    const outcomes = [sampleOutcome('echo.a', sampleFailure), ...all.slice(1), sampleOutcome('echo.d', sampleFailure)];
    const knownDeviations = { 'echo.a': 'T-1', 'echo.b': 'T-2' };
    expect(said([...must, implied], outcomes, { knownDeviations })).toBe(
      `Não conforme: 1 de 3 cláusulas obrigatórias passou, 1 desvio conhecido está vencido, 1 desvio conhecido, 1 aviso, ${onde}`,
    );
  });

  test('says that nothing was judged, and why', () => {
    expect(verdictSentence(errorResults(sampleFacts, 'ECONNREFUSED', 'network'), 'pt-BR')).toBe(
      'Erro: nenhuma cláusula foi julgada em http://127.0.0.1:8080 (semente 1729): ECONNREFUSED.',
    );
  });
});
