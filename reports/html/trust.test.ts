import { describe, expect, test } from 'vitest';
import type { MutantsRecord } from '../../schemas/stored.ts';
import { sampleResults } from '../sample-run.ts';
import type { PageExtras } from './extras.ts';
import { trustStrip } from './trust.ts';

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
      trustStrip({ ...sampleResults(), clock: { movable: false, ...skew } }, {}).html;
    expect(strip({ skewSeconds: 0 })).toMatch(/0 s off the suite.*0 s de diferença/s);
    expect(strip({})).not.toMatch(/off the suite|de diferença do relógio/);
    expect(strip({})).toMatch(/difference not measured.*diferença não medida/s);
  });

  test('is what the mutants came to: those missed and false accusations are bad', () => {
    const caught = { mutant: 'a', clause: 'echo.a', caughtBy: ['check'] };
    const missed = { mutant: 'b', clause: 'echo.b', caughtBy: [] };
    const strip = (catches: MutantsRecord['catches'], accused: number): string => {
      const record: MutantsRecord = { ...mutants, mutants: 2, accused, catches };
      return factIn(trustStrip(sampleResults(), { mutants: record }).html, 'Mutants caught');
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
    const { html } = trustStrip(sampleResults(), { mutants: { ...mutants, suite } });
    expect(html.includes('by the suite of')).toBe(isOther);
  });

  test('compares the versions where neither suite knows its commit', () => {
    const results = { ...sampleResults(), suite: { version: '0.2.0' } };
    const strip = (version: string): string =>
      trustStrip(results, { mutants: { ...mutants, suite: { version } } }).html;
    expect(strip('0.2.0')).not.toContain('by the suite of');
    expect(strip('0.1.0')).toContain('by the suite of <code>0.1.0</code>');
  });

  test('is how many must clauses were exercised, and how many were withheld', () => {
    expect(factIn(trustStrip(sampleResults(), {}).html, 'Must clauses exercised')).toMatch(
      />3 of 4<.*>withheld: 1<.*>retidas: 1</,
    );
  });

  test('is whether invoices were issued in production', () => {
    const fact = (productionIssuances: number): string =>
      factIn(trustStrip({ ...sampleResults(), productionIssuances }, {}).html, 'Production issuances');
    expect(fact(0)).toMatch(/class="passed".*✓<.*>0</);
    expect(fact(2)).toMatch(/class="failed".*✗<.*>2</);
  });

  test('is what was left at the target, in both languages', () => {
    const sideEffects = { companies: 1, certificates: 1, addresses: 0, invoices: 2, cancellations: 1 };
    const fact = factIn(trustStrip({ ...sampleResults(), sideEffects }, {}).html, 'Left at the target');
    expect(fact).toMatch(/1 company, 2 invoices \(1 cancelled\).*1 empresa, 2 notas \(1 cancelada\)/s);
  });

  test('is how many secrets were sought in the page, none of which a page that is written has', () => {
    const fact = (extras: PageExtras): string =>
      factIn(trustStrip(sampleResults(), extras).html, 'Secrets in this file');
    expect(fact({ secretsSought: 9 })).toMatch(/class="passed".*✓<.*>0<.*>searched for 9</);
    for (const extras of [{}, { secretsSought: 0 }]) expect(fact(extras)).toContain('not searched');
  });

  test('names the command for a record of the mutants that is of another format, in both languages', () => {
    const strip = trustStrip(sampleResults(), { mutants: 'unreadable' }).html;
    const command = '<code>npm run mutants</code>';
    expect(strip).toContain(`of another format: ${command}`);
    expect(strip).toContain(`de outro formato: ${command}`);
  });
});
