import { describe, expect, test } from 'vitest';
import { endpointAt, endpoints, fillPath, type Endpoint } from './endpoints.ts';

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
