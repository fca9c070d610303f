import { expect, test } from 'vitest';
import { judgeProbe, scopeOf } from './subscriptions.ts';

const none = { data: {}, isPage: false };

test.each([
  ['nfe-query', '/openapi/v2/empresas/{xx}/nf-e/{xx}'],
  ['certificado-association', '/openapi/v1/empresas/{xx}/certificadodigital'],
  ['nfe-verification', '/openapi/v3/consultas/nf-e/xml'],
] as const)('the scope of %s is %s', (name, scope) => {
  expect(scopeOf(name)).toBe(scope);
});

test.each([200, 400, 404, 500])('%d to a probe says nothing against the subscription', (status) => {
  expect(judgeProbe('cnpj-lookup', { ...none, status })).toEqual([]);
});

test.each([
  ['a missing subscription', { ...none, status: 403, code: 10009005 }, /subscribe the application/],
  ['another 403', { ...none, status: 403, code: 10009004 }, /deviates/],
  ['a 401', { ...none, status: 401, code: 10009003 }, /deviates/],
  ['silence', { error: 'ETIMEDOUT' }, /try again/],
])('%s is a warning that names the scope', (_, answer, advice) => {
  const [finding] = judgeProbe('nfe-issuance', answer);
  expect(finding?.state).toBe('warning');
  expect(finding?.examined).toContain('/openapi/v2/empresas/{xx}/nf-e');
  expect(finding?.advice).toMatch(advice);
});
