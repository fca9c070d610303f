import { describe, expect, test } from 'vitest';
import { endpointAt, endpoints, fillPath, type Endpoint, calledEndpoint } from './endpoints.ts';
import { retryInstantsSeconds } from './values.ts';

describe('endpoints', () => {
  const values = {
    empresaId: 'e1',
    nfeId: 'n1',
    chave: '1'.repeat(44),
    cnpj: '12345678901234',
    cpf: '12345678901',
    nascimento: '01011990',
  };

  describe('the endpoint that a request is for', () => {
    test.each(endpoints)('is $name by its method and path, with a query or without', ({ name, method, path }) => {
      const target = fillPath(path, values);
      expect(endpointAt(method, target)?.name).toBe(name);
      expect(endpointAt(method, `${target}?page=1`)?.name).toBe(name);
    });

    test.each([
      ['GET', '/openapi/v2/empresas'],
      ['POST', '/openapi/v2/empresas/'],
      ['POST', '/openapi/v2/empresas//nf-e'],
      ['POST', '/openapi/v2/empresas/e1/nf-e/n1'],
      ['POST', '/openapi/nfe/invoice/create'],
    ])('is none for %s %s', (method, target) => {
      expect(endpointAt(method, target)).toBeUndefined();
    });
  });

  test('what accepted calls leave behind, and which of them make something new of any body', () => {
    const all: readonly Endpoint[] = endpoints;
    const leaving = all.filter(({ leaves }) => leaves !== undefined);
    expect(leaving.map(({ number, leaves, makesNew = false }) => [number, leaves, makesNew])).toEqual([
      [2, 'companies', true],
      [3, 'certificates', false],
      [4, 'addresses', true],
      [5, 'invoices', true],
      [7, 'cancellations', false],
    ]);
  });
});

describe('called endpoint', () => {
  test.each([
    ['GET', '/openapi/v2/empresas/1/nf-e/2?a=b', 'nfe-query'],
    ['DELETE', '/openapi/v2/empresas/1/nf-e/2', 'nfe-cancellation'],
    ['POST', '/openapi/v3/consultas/nf-e/xml', 'nfe-verification'],
    ['GET', '/openapi/v3/consultas/nf-e/xml', 'chave-lookup'],
  ])('%s %s is for %s', (method, target, name) => {
    expect(calledEndpoint(method, target)).toMatchObject({ name });
  });

  test('a retired path is for the endpoint that it was of, and an unknown one for none', () => {
    expect(calledEndpoint('GET', '/openapi/cadastro/cnpj/12345678000195')).toMatchObject({
      path: '/openapi/cadastro/cnpj/{cnpj}',
    });
    expect(calledEndpoint('POST', '/openapi/cadastro/cnpj/12345678000195')).toBeUndefined();
    expect(calledEndpoint('GET', '/openapi/v2/empresas//nf-e/2')).toBeUndefined();
  });
});

describe('retry ladder', () => {
  test('the five retries are due at these seconds, by either reading', () => {
    expect(retryInstantsSeconds).toEqual({
      'each after the one before': [60, 360, 2160, 9360, 30_960],
      'all after the first': [60, 300, 1800, 7200, 21_600],
    });
  });
});
