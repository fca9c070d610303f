import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { instanceOf } from './from-schema.ts';
import { issuanceCall } from './nfe-ids.ts';
import { jsonSpelling, isObject } from './json.ts';

const body = { id: 'of the profile', ambienteEmissao: 'Producao', cliente: { nome: 'Ação', id: 'c1' }, itens: [1] };
const fields = { id: 'n1', ambienteEmissao: 'Homologacao' };

function parsed(rawBody: Buffer | undefined): unknown {
  return JSON.parse(rawBody?.toString('utf8') ?? '');
}

describe('an issuance', () => {
  test('is a JSON request to the company, compact and without escapes', () => {
    expect(issuanceCall('e1', { a: 'ção' }, fields)).toEqual(
      expect.objectContaining({
        method: 'POST',
        path: '/openapi/v2/empresas/e1/nf-e',
        contentType: 'application/json',
        rawBody: Buffer.from('{"a":"ção","id":"n1","ambienteEmissao":"Homologacao"}'),
      }),
    );
  });

  test('has the named fields instead of those of the body, once, and keeps all else', () => {
    const { rawBody } = issuanceCall('e1', body, fields);
    expect(parsed(rawBody)).toEqual({ ...body, ...fields });
    expect(rawBody?.toString('utf8').match(/"ambienteEmissao"/g)).toHaveLength(1);
  });

  test.each(['id', 'ambienteEmissao'] as const)('lacks %s when it is undefined, though the body has it', (field) => {
    const { [field]: _left, ...rest } = { ...body, ...fields };
    expect(parsed(issuanceCall('e1', body, { ...fields, [field]: undefined }).rawBody)).toEqual(rest);
  });

  test.each([null, 7, ['Homologacao'], ''])('can carry a wrong value: %j', (ambienteEmissao) => {
    const { rawBody } = issuanceCall('e1', body, { id: 'n1', ambienteEmissao });
    expect(parsed(rawBody)).toMatchObject({ id: 'n1', ambienteEmissao });
  });

  test('means the same in every spelling', () => {
    fc.assert(
      fc.property(jsonSpelling(), instanceOf({ type: 'object' }), (write, content) => {
        const some = isObject(content) ? content : {};
        expect(parsed(issuanceCall('e1', some, fields, write).rawBody)).toEqual({ ...some, ...fields });
      }),
      { numRuns: 500 },
    );
  });

  test('is spelled in many ways', () => {
    const texts = fc
      .sample(jsonSpelling(), { numRuns: 500, seed: 1729 })
      .map((write) => issuanceCall('e1', body, fields, write).rawBody?.toString('utf8') ?? '');
    for (const pattern of [/^\{"ambienteEmissao"/, /"id": "n1"/, /\r\n/, /A\\u00e7\\u00e3o/, /"\\u0069d"|"i\\u0064"/]) {
      expect(texts.some((text) => pattern.test(text))).toBe(true);
    }
  });

  test('is shown in counterexamples with its body', () => {
    expect(fc.stringify(issuanceCall('e1', {}, fields))).toContain(String.raw`\"id\":\"n1\"`);
  });
});
