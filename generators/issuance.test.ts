import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { issuanceRequest } from '../schemas/messages.ts';
import { validator } from '../schemas/validate.ts';
import { wrongAmbiente, wrongAmbientes } from './issuance.ts';

const seeded = { numRuns: 3000, seed: 1729 };
const faultsOf = validator(issuanceRequest);
const found = fc.sample(wrongAmbiente(), seeded);

describe('a wrong ambienteEmissao', () => {
  test.each([
    ['listed', wrongAmbientes],
    ['generated', found],
  ])('that is %s is what an issuance request may not have, and never null', (_what, some) => {
    for (const { value } of some) {
      expect(value).not.toBeNull();
      expect(faultsOf({ id: '1', ambienteEmissao: value })).toHaveLength(1);
    }
  });

  test('has a name that shows it, in counterexamples too', () => {
    for (const wrong of [...wrongAmbientes, ...found]) {
      expect(wrong.name).toContain(JSON.stringify(wrong.value));
      expect(fc.stringify(wrong)).toBe(wrong.name);
    }
    expect(new Set(wrongAmbientes.map(({ name }) => name)).size).toBe(wrongAmbientes.length);
  });

  test.each(['producao', 'HOMOLOGACAO', 'Homologação', ' Homologacao', '', 'Teste', '1', '2', 1, 2, true])(
    'is sometimes %j',
    (value) => {
      expect(found.map((wrong) => wrong.value)).toContain(value);
    },
  );

  test('is of every type but null, and sometimes neither listed nor a text', () => {
    const types = found.map(({ value }) => (Array.isArray(value) ? 'array' : typeof value));
    expect(new Set(types)).toEqual(new Set(['string', 'number', 'boolean', 'object', 'array']));
    const listed = new Set(wrongAmbientes.map(({ value }) => JSON.stringify(value)));
    const others = found.map(({ value }) => value).filter((value) => !listed.has(JSON.stringify(value)));
    const texts = others.filter((value) => typeof value === 'string');
    expect(texts.filter((text) => !/omolog|rodu/i.test(text) && Array.from(text).length > 15).length).toBeGreaterThan(
      50,
    );
    expect(others.filter((value) => typeof value !== 'string').length).toBeGreaterThan(100);
  });

  test('is sometimes one slip away from a word', () => {
    const texts = found.map(({ value }) => value).filter((value) => typeof value === 'string');
    expect(texts.filter((text) => /^Homologaca.$|^.omologacao$/u.test(text)).length).toBeGreaterThan(5);
    expect(texts.filter((text) => /^Producao.$|^Producao\s$/u.test(text)).length).toBeGreaterThan(5);
  });
});
