import { expect, test } from 'vitest';
import { calledEndpoint } from './called-endpoint.ts';

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
