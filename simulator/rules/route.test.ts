import { describe, expect, test } from 'vitest';
import { endpoints } from '../../contract/endpoints.ts';
import { findRoute } from './route.ts';

describe('routes', () => {
  test.each(endpoints.map(({ name, method, path }) => [name, method, path]))('%s is %s %s', (name, method, path) => {
    expect(findRoute(method, path.replaceAll(/\{\w+\}/g, 'x%2Fy'))?.endpoint.name).toBe(name);
  });

  test('path variables are decoded; a malformed escape stands for itself', () => {
    const route = findRoute('GET', '/openapi/v2/empresas/E%2F1/nf-e/%zz');
    expect(route?.variables).toEqual({ empresaId: 'E/1', nfeId: '%zz' });
  });

  test.each([
    ['GET', '/openapi/demo/echo'],
    ['POST', '/openapi/demo/echo/'],
    ['POST', '/openapi/demo/Echo'],
    ['POST', '/openapi//demo/echo'],
    ['GET', '/openapi/v3/consultas/cnpj/'],
    ['GET', '/openapi/v3/consultas/cpf/1'],
    ['GET', '/'],
  ])('%s %s is no endpoint', (method, path) => {
    expect(findRoute(method, path)).toBeUndefined();
  });
});
