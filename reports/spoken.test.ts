import { expect, test } from 'vitest';
import { judge } from './judge.ts';
import { summaryMarkdown } from './markdown.ts';
import { progressLine } from './progress/line.ts';
import {
  sampleClause,
  sampleExchange,
  sampleFacts,
  sampleFailure,
  sampleOutcome,
  sampleResults,
} from './testing/sample-run.ts';
import { failureLines, summaryLines } from './terminal.ts';

const inPortuguese = {
  language: 'pt-BR',
  say: (english: string) => english.replace('needs a clock', 'precisa de um relógio'),
} as const;

test('the summary of a terminal speaks Portuguese but for what comes from the catalogue and from the run', () => {
  const lines = summaryLines(sampleResults(), { colour: false }, inPortuguese);
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
  const text = summaryMarkdown(sampleResults(), undefined, inPortuguese);
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
