import { expect, test } from 'vitest';
import type { Clause } from '../../contract/clause.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { errorResults, judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome } from '../testing/sample-run.ts';
import { errorSection, verdictBlock } from './verdict.ts';

const knownDeviations = { 'echo.known': 'TICKET-1', 'echo.stale': 'TICKET-2' };

/** The block of a run, and its text in one language without marks. */
function blockOf(outcomes: readonly CheckOutcome[], rest: Partial<Clause> = {}): string {
  const ids = [...new Set(outcomes.map(({ clause }) => clause))];
  const clauses = ids.map((id) => sampleClause(id, rest));
  return verdictBlock(judge({ ...sampleFacts, knownDeviations }, clauses, outcomes)).html;
}

function troublesIn(html: string, dropped = 'pt-BR'): string[] {
  const items = [...html.matchAll(/<li class="trouble">(.*?)<\/li>/g)].map(([, item = '']) => item);
  return items.map((item) =>
    item.replaceAll(new RegExp(`<span lang="${dropped}">.*?</span>`, 'g'), '').replaceAll(/<[^>]*>/g, ''),
  );
}

test('a run in which everything holds says that it met no trouble', () => {
  expect(blockOf([sampleOutcome('echo.a')])).toContain('No trouble was met on the way.');
});

test('a run of the whole suite shows how far each level is, and which are complete', () => {
  const needy = sampleClause('echo.b', { needs: ['callbacks'] });
  const open = sampleOutcome('echo.b', { state: 'not-exercised', reason: 'needs a receiver' });
  const clauses = [sampleClause('echo.a'), needy];
  const { html } = verdictBlock(judge(sampleFacts, clauses, [sampleOutcome('echo.a'), open]));
  expect(html).toContain(
    '<p class="level"><span class="said"><span lang="en">Level credentials complete: the one must',
  );
  const items = [...html.matchAll(/<ol class="levels".*?<\/ol>/gs)].flatMap(([list]) => list.split('<li>').slice(1));
  expect(items.map((item) => item.replaceAll(/<span lang="pt-BR">.*?<\/span>|<[^>]*>/g, ''))).toEqual([
    '✓ secret 1 of 1 (complete)',
    '✓ credentials 1 of 1 (complete)',
    '○ receiver 1 of 2 (not complete)',
    '○ control 1 of 2 (not complete)',
  ]);
});

test('a run of a part shows no level', () => {
  const part = judge({ ...sampleFacts, filter: '--topic echo' }, [sampleClause('echo.a')], [sampleOutcome('echo.a')]);
  expect(verdictBlock(part).html).not.toMatch(/level/i);
});

test('must clauses that were not exercised are told apart from others', () => {
  const open = { state: 'not-exercised', reason: 'r' } as const;
  const clauses = ['echo.a', 'echo.b', 'echo.c'].map((id) =>
    sampleClause(id, id === 'echo.c' ? { level: 'implied' } : {}),
  );
  const { html } = verdictBlock(
    judge(
      sampleFacts,
      clauses,
      clauses.map(({ id }) => sampleOutcome(id, open)),
    ),
  );
  expect(troublesIn(html)).toEqual([
    'The settings: 2 must clauses were not exercised; 1 other clause was not exercised',
  ]);
});

test('what does not hold is told apart: failures, warnings, known deviations', () => {
  const failing = ['echo.a', 'echo.b', 'echo.known'].map((id) => sampleOutcome(id, sampleFailure));
  expect(troublesIn(blockOf(failing))).toEqual(['The target: 2 clauses do not hold; 1 known deviation']);
  const warned = ['echo.a', 'echo.b'].map((id) => sampleOutcome(id, sampleFailure));
  const html = blockOf(warned, { level: 'should' });
  expect(troublesIn(html)).toEqual(['The target: 2 warnings']);
  expect(troublesIn(html, 'en')).toEqual(['O serviço testado: 2 avisos']);
});

test('a stale known deviation and a disturbed check are told in words of their own', () => {
  const html = blockOf([sampleOutcome('echo.stale'), sampleOutcome('echo.a', { flaky: ['ECONNRESET'] })]);
  expect(troublesIn(html)).toEqual([
    'The network: 1 check was disturbed on the way',
    'The settings: 1 known deviation is stale',
  ]);
  expect(troublesIn(html, 'en')).toEqual([
    'A rede: 1 verificação foi perturbada no caminho',
    'A configuração: 1 desvio conhecido está vencido',
  ]);
});

test('a long message of an error is cut in the sentence, and shown further below', () => {
  const error = errorResults(sampleFacts, 'e'.repeat(9_000), 'suite');
  expect(verdictBlock(error).html).toMatch(/e{1900,2000}…</);
  expect(errorSection(error, { block: 5_000, line: 500 }).html).toMatch(/>e{5000}<\/pre> <span class="note cut">/);
});
