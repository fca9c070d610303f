import { expect, test } from 'vitest';
import { endpoint, scopeOf } from '../../contract/endpoints.ts';
import { judgeProbe } from './examine.ts';

const baseUrl = 'https://api.example';
const none = { data: {}, form: 'json' as const };

test.each([
  ['nfe-query', '/openapi/v2/empresas/{xx}/nf-e/{xx}'],
  ['certificado-association', '/openapi/v1/empresas/{xx}/certificadodigital'],
  ['nfe-verification', '/openapi/v3/consultas/nf-e/xml'],
] as const)('the scope of %s is %s', (name, scope) => {
  expect(scopeOf(endpoint(name))).toBe(scope);
});

test.each([200, 400, 404, 500])('%d to a probe says nothing against the subscription', (status) => {
  expect(judgeProbe('cnpj-lookup', { ...none, status }, baseUrl)).toEqual([]);
});

test.each([
  ['a missing subscription', { ...none, status: 403, code: 10009005 }, /subscribe the application/],
  ['another 403', { ...none, status: 403, code: 10009004 }, /deviates/],
  ['a 401', { ...none, status: 401, code: 10009003 }, /deviates/],
  ['silence', { error: 'ETIMEDOUT' }, /try again/],
])('%s is a warning that names the scope', (_, answer, advice) => {
  const [finding] = judgeProbe('nfe-issuance', answer, baseUrl);
  expect(finding?.state).toBe('warning');
  expect(finding?.examined).toContain('/openapi/v2/empresas/{xx}/nf-e');
  expect(finding?.advice).toMatch(advice);
});

test.each([
  ['a page of a firewall', { ...none, form: 'page' as const, status: 403 }, /no body.*403.*HTML page/],
  ['a redirect', { ...none, status: 302, location: '/login?t=1' }, /redirect to https:\/\/api\.example\/login,/],
  ['a redirect to another host', { ...none, status: 307, location: 'https://new.example/openapi/x' }, /new\.example/],
])('%s where echo gets through is a problem that names method and body', (_, answer, found) => {
  const [finding] = judgeProbe('nfe-cancellation', answer, baseUrl);
  expect(finding?.state).toBe('problem');
  expect(finding?.found).toMatch(/^DELETE /);
  expect(finding?.found).toMatch(found);
});

test.each(['/openapi/v3/consultas/cnpj/1/', `${baseUrl}/openapi/v4/consultas/cnpj/1`])(
  'a redirect to %s, within the service, is judged as an answer of its endpoint',
  (location) => {
    expect(judgeProbe('cnpj-lookup', { ...none, status: 308, location }, baseUrl)).toEqual([]);
  },
);
