import { describe, expect, test } from 'vitest';
import { endpointAt, endpoints, fillPath, type Endpoint, calledEndpoint } from './endpoints.ts';
import { retryInstantsSeconds, codes, type CodeName } from './values.ts';
import { refusalsInOrder, refusalWith, statedOrder } from './precedence.ts';

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

    test('is the same whatever an id of the target is written with: what no segment can hold goes in escaped', () => {
      const fill = (empresaId: string): string => fillPath('/a/{empresaId}', { empresaId });
      expect(fill('Empresa 7/São?#')).toBe('/a/Empresa%207%2FS%C3%A3o%3F%23');
      expect(fill('urn:emp:7.~@1==!$&()*+,;%20')).toBe('/a/urn:emp:7.~@1==!$&()*+,;%20');
      expect(fill('\uD800')).toBe('/a/%EF%BF%BD');
      expect(fill('50%-off%z%2\u212A%')).toBe('/a/50%25-off%25z%252%E2%84%AA%25');
      expect(fill('e%2F50%-1')).toBe('/a/e%252F50%25-1');
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

const names: readonly CodeName[] = [
  'headersMissing',
  'timestampInvalid',
  'tokenInvalid',
  'signMismatch',
  'retired',
  'applicationDisabled',
  'applicationNotEffective',
  'integratorDisabled',
  'notSubscribed',
  'rateLimited',
];

describe('the order that the contract has of two refusals', () => {
  test.each<[CodeName, CodeName, string, string]>([
    ['signMismatch', 'retired', 'must', 'precedence.401-before-410'],
    ['headersMissing', 'notSubscribed', 'must', 'precedence.401-before-403'],
    ['retired', 'applicationDisabled', 'must', 'precedence.410-before-403'],
    ['retired', 'rateLimited', 'must', 'precedence.410-before-429'],
    ['tokenInvalid', 'rateLimited', 'implied', 'precedence.401-before-429'],
    ['integratorDisabled', 'rateLimited', 'implied', 'precedence.403-before-429'],
    ['timestampInvalid', 'tokenInvalid', 'implied', 'precedence.order-of-401'],
    ['applicationNotEffective', 'integratorDisabled', 'implied', 'precedence.order-of-403'],
  ])('%s comes before %s: %s', (first, second, level, clause) => {
    const order = { first: codes[first], level, clause };
    expect(statedOrder(codes[first], codes[second])).toEqual(order);
    expect(statedOrder(codes[second], codes[first])).toEqual(order);
  });

  test('every refusal comes before those behind it in the whole order', () => {
    expect(refusalsInOrder).toEqual(names.map((name) => codes[name]));
    for (const [at, first] of refusalsInOrder.entries())
      for (const second of refusalsInOrder.slice(at + 1)) expect(statedOrder(second, first)?.first).toBe(first);
  });

  test('of one code with itself there is none', () => {
    expect(statedOrder(codes.tokenInvalid, codes.tokenInvalid)).toBeUndefined();
  });
});

test('a refusal is found by its code', () => {
  expect(refusalWith(10009034)).toBe(codes.retired);
  expect(refusalWith(10009011)).toBeUndefined();
});
