import { modelOf } from '../model.ts';
import { expect, test, describe } from 'vitest';
import type { Clause } from '../../contract/clause.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { errorResults, judge } from '../judge.ts';
import { sampleClause, sampleFacts, sampleFailure, sampleOutcome, sampleResults } from '../testing/sample-run.ts';
import { noEvidence } from './evidence-plan.ts';
import { errorSection, verdictBlock, trustStrip } from './verdict.ts';
import type { MutantsRecord } from '../../schemas/stored.ts';
import type { PageExtras } from './frame.ts';

const knownDeviations = { 'echo.known': 'TICKET-1', 'echo.stale': 'TICKET-2' };

/** The block of a run, and its text in one language without marks. */
function blockOf(outcomes: readonly CheckOutcome[], rest: Partial<Clause> = {}): string {
  const ids = [...new Set(outcomes.map(({ clause }) => clause))];
  const clauses = ids.map((id) => sampleClause(id, rest));
  return verdictBlock(modelOf(judge({ ...sampleFacts, knownDeviations }, clauses, outcomes))).html;
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
  const { html } = verdictBlock(modelOf(judge(sampleFacts, clauses, [sampleOutcome('echo.a'), open])));
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

test('must clauses that were not exercised are told apart from others', () => {
  const open = { state: 'not-exercised', reason: 'r' } as const;
  const clauses = ['echo.a', 'echo.b', 'echo.c'].map((id) =>
    sampleClause(id, id === 'echo.c' ? { level: 'implied' } : {}),
  );
  const { html } = verdictBlock(
    modelOf(
      judge(
        sampleFacts,
        clauses,
        clauses.map(({ id }) => sampleOutcome(id, open)),
      ),
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
  const model = modelOf(error);
  expect(verdictBlock(model).html).toMatch(/e{1900,2000}…</);
  expect(errorSection(model, { room: { block: 5_000, line: 500 }, evidence: noEvidence(model) }).html).toMatch(
    />e{5000}<\/pre> <span class="note cut">/,
  );
});

const mutants: MutantsRecord = {
  format: 'nfe-conformance/mutants@1',
  at: '2026-11-20T02:00:00.000Z',
  suite: { version: '0.1.0', commit: '1a2b3c4d5e6f' },
  seed: 1,
  mutants: 0,
  variants: 7,
  accused: 0,
  catches: [],
};

/** The item of the strip with that label. */
function factIn(html: string, label: string): string {
  return [...html.matchAll(/<div><dt>.*?<\/div>/g)].map(([item]) => item).find((item) => item.includes(label)) ?? '';
}

describe('what a verdict rests on', () => {
  test('is the measured difference of the clocks, or that none was measured, in both languages', () => {
    const strip = (skew: { skewSeconds?: number }): string =>
      trustStrip(modelOf({ ...sampleResults(), clock: { movable: false, ...skew } }), {}).html;
    expect(strip({ skewSeconds: 0 })).toMatch(/0 s off the suite.*0 s de diferença/s);
    expect(strip({})).not.toMatch(/off the suite|de diferença do relógio/);
    expect(strip({})).toMatch(/difference not measured.*diferença não medida/s);
  });

  test('is what the mutants came to: those missed and false accusations are bad', () => {
    const caught = { mutant: 'a', clause: 'echo.a', caughtBy: ['check'] };
    const missed = { mutant: 'b', clause: 'echo.b', caughtBy: [] };
    const strip = (catches: MutantsRecord['catches'], accused: number): string => {
      const record: MutantsRecord = { ...mutants, mutants: 2, accused, catches };
      return factIn(trustStrip(modelOf(sampleResults(), { mutants: record }), {}).html, 'Mutants caught');
    };
    const all = strip([caught, { ...missed, caughtBy: ['check'] }], 0);
    expect(all).toMatch(/class="passed" aria-hidden="true">✓<.*>2 of 2<.*>false accusations: 0; variants: 7</);
    expect(all).toContain('Mutantes detectados');
    expect(strip([caught, { ...caught, clause: 'echo.c' }, missed], 0)).toMatch(/class="failed".*✗<.*>1 of 2</);
    expect(strip([caught], 3)).toMatch(/class="failed".*✗<.*>false accusations: 3;/);
  });

  test.each([
    [mutants.suite, false],
    [{ version: '0.0.9', commit: '1a2b3c4d5e6f' }, true],
    [{ version: '0.1.0', commit: 'f00' }, true],
    [{ version: '0.1.0' }, true],
  ])('says of mutants of the suite %j whether that is another one: %s', (suite, isOther) => {
    const { html } = trustStrip(modelOf(sampleResults(), { mutants: { ...mutants, suite } }), {});
    expect(html.includes('by the suite of')).toBe(isOther);
  });

  test('is how many must clauses were exercised, and how many were withheld', () => {
    expect(factIn(trustStrip(modelOf(sampleResults()), {}).html, 'Must clauses exercised')).toMatch(
      />3 of 4<.*>withheld: 1<.*>retidas: 1</,
    );
  });

  test('is whether invoices were issued in production', () => {
    const fact = (productionIssuances: number): string =>
      factIn(trustStrip(modelOf({ ...sampleResults(), productionIssuances }), {}).html, 'Production issuances');
    expect(fact(0)).toMatch(/class="passed".*✓<.*>0</);
    expect(fact(2)).toMatch(/class="failed".*✗<.*>2</);
  });

  test('is how many secrets were sought in the page, none of which a page that is written has', () => {
    const fact = (extras: PageExtras): string =>
      factIn(trustStrip(modelOf(sampleResults()), extras).html, 'Secrets in this file');
    expect(fact({ secretsSought: 9 })).toMatch(/class="passed".*✓<.*>0<.*>searched for 9</);
    for (const extras of [{}, { secretsSought: 0 }]) expect(fact(extras)).toContain('not searched');
  });

  test('names the command for a record of the mutants that is of another format, in both languages', () => {
    const strip = trustStrip(modelOf(sampleResults(), { mutants: 'unreadable' }), {}).html;
    const command = '<code>npm run mutants</code>';
    expect(strip).toContain(`of another format: ${command}`);
    expect(strip).toContain(`de outro formato: ${command}`);
  });
});
