import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { productionRisk, mayLeaveNew, twinOf } from './interlock.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { probeCall } from '../../generators/calls.ts';
import { foreignAddress } from '../testing/foreign-address.ts';

describe('interlock', () => {
  const target = '/openapi/v2/empresas/e1/nf-e';

  function riskOf(body: string | undefined, method = 'POST', path = target): string {
    const request = { method, target: path, ...(body === undefined ? {} : { rawBody: Buffer.from(body) }) };
    return productionRisk(request).kind;
  }

  describe('an issuance', () => {
    test.each([
      '{"ambienteEmissao":"Homologacao"}',
      '{ "id" : "1", "ambienteEmissao" : "Homologacao" }',
      String.raw`{"ambiente\u0045missao":"Homologa\u0063ao"}`,
      '{"pedido":{"ambienteEmissao":"Producao"},"ambienteEmissao":"Homologacao"}',
    ])('with exactly one Homologacao may leave: %s', (body) => {
      expect(riskOf(body)).toBe('none');
    });

    test.each([
      '{"ambienteEmissao":"Producao"}',
      String.raw`{"ambienteEmissao":"Produ\u0063ao"}`,
      String.raw`{"ambiente\u0045missao":"Producao"}`,
      '{"ambienteEmissao":"Homologacao","ambienteEmissao":"Producao"}',
      '{"ambienteEmissao":"Producao","ambienteEmissao":"Homologacao"}',
      String.raw`{"ambienteEmissao":"Homologacao","\u0061mbienteEmissao":"Producao"}`,
      '{"ambienteEmissao":"Homologacao","AmbienteEmissao":"Producao"}',
      '{"ambienteEmissao":"homologacao"}',
      '{"ambienteEmissao":["Homologacao"]}',
      '{"ambienteEmissao":{"a":"Homologacao"}}',
      '{"ambienteEmissao":null}',
      '{"pedido":{"ambienteEmissao":"Homologacao"}}',
      '[{"ambienteEmissao":"Homologacao"}]',
      '{"ambienteEmissao":"Homologacao"}{"ambienteEmissao":"Producao"}',
      '{"ambienteEmissao":"Homologacao",}',
      '{/* "ambienteEmissao":"Producao" */"ambienteEmissao":"Homologacao"}',
      '{}',
    ])('in which anything is doubtful may not leave: %s', (body) => {
      expect(riskOf(body)).toBe('possible');
    });

    test.each([undefined, '', ' ', '{', '{"id":', '[]', '17', '{"ambienteEmissao":"Homologacao"', 'null'])(
      'that is a scrap in which nobody can read an invoice may leave: %s',
      (body) => {
        expect(riskOf(body)).toBe('none');
      },
    );

    test.each([`{"ambienteEmissao":"Producao"`, String.raw`{"ambienteEmissao":"\u0050roducao"`, ` ${'['.repeat(64)}`])(
      'that is a scrap which may hold one may not: %s',
      (body) => {
        expect(riskOf(body)).toBe('possible');
      },
    );

    test.each([
      `${target}/`,
      `${target}?a=1`,
      '/openapi/v2/empresas/e1/nf%2De',
      '/openapi/v2/EMPRESAS/e1/NF-e',
      '/openapi/nfe/invoice/create',
    ])('is recognised on %s', (path) => {
      expect(riskOf('{"ambienteEmissao":"Producao"}', 'POST', path)).toBe('possible');
    });

    test('never leaves with another value, however its JSON is written', () => {
      const other = fc.string().filter((value) => value !== 'Homologacao');
      fc.assert(
        fc.property(other, fc.dictionary(fc.string(), fc.jsonValue()), (ambienteEmissao, rest) => {
          expect(riskOf(JSON.stringify({ ...rest, ambienteEmissao }))).toBe('possible');
        }),
      );
    });
  });

  test.each([
    ['GET', `${target}/n1`],
    ['DELETE', `${target}/n1`],
    ['POST', '/openapi/demo/echo'],
    ['POST', '/openapi/v2/empresas'],
  ])('%s %s issues nothing', (method, path) => {
    expect(riskOf('{"ambienteEmissao":"Producao"}', method, path)).toBe('none');
  });
});

describe('harmless', () => {
  const known = foreignAddress('http://127.0.0.1:9');
  const controlled = foreignAddress('http://127.0.0.1:9', { control: { url: 'http://127.0.0.1:9', token: 't' } });
  const makers = new Set(['empresa-registration', 'webhook-registration', 'nfe-issuance']);

  describe.each(endpoints)('an untouched probe of $name', ({ name }) => {
    const call = probeCall(name, 'application/xml');
    const isMaker = makers.has(name);

    test(`${isMaker ? 'might leave' : 'leaves nothing'} at a target without control API`, () => {
      expect(mayLeaveNew(known, call)).toBe(isMaker);
      expect(twinOf(known, call).path).toBe(isMaker ? '/openapi/demo/echo' : call.path);
    });

    test('is sent as it is where the checks have applications of their own', () => {
      expect(mayLeaveNew(controlled, call)).toBe(false);
      expect(twinOf(controlled, call)).toBe(call);
    });
  });
});
