import { expect, test } from 'vitest';
import type { RetiredEndpoint } from '../contract/endpoints.ts';
import { namesReplacement } from './retirement.ts';

const query: RetiredEndpoint = { method: 'POST', path: '/x', replacement: 'nfe-query' };
const issuance: RetiredEndpoint = { method: 'POST', path: '/x', replacement: 'nfe-issuance' };

test.each([
  'use GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} instead',
  'use /openapi/v2/empresas/{id}/nf-e/{id} (field status) instead',
  'use /openapi/v2/empresas/1/nf-e/2.',
  '该接口已下线，请改用【GET /openapi/v2/empresas/{编号}/nf-e/{编号}】。',
  '请改用/openapi/v2/empresas/{id}/nf-e/{id}。',
  'use “GET /openapi/v2/empresas/<empresaId>/nf-e/<nfeId>”!',
  'use [/openapi/v2/empresas/:empresaId/nf-e/:nfeId]',
  'use /openapi/v2/empresas/{{empresaId}}/nf-e/{{nfeId}} instead',
  'use /openapi/v2/empresas/${empresaId}/nf-e/$nfeId instead',
  'use /openapi/v2/empresas/*/nf-e/* instead',
  'use /openapi/v2/empresas/{id da empresa}/nf-e/（编号）',
  'POST /x is gone: use /openapi/v2/empresas/{id}/nf-e/{id}',
  'em seu lugar há «https://api.example/openapi/v2/empresas/{id}/nf-e/{id}»; veja',
])('the replacement is named by its path, placeholders in any form: %s', (text) => {
  expect(namesReplacement(text, query)).toBe(true);
});

test.each([
  'use /openapi/v2/empresas/{empresaId}/nf-e instead',
  'use nf-e query instead',
  'use /openapi/v2/empresas//nf-e/',
  'use DELETE /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} instead',
  '请改用【POST：/openapi/v2/empresas/{id}/nf-e/{id}】',
])('another path, a part of it or none is not the replacement: %s', (text) => {
  expect(namesReplacement(text, query)).toBe(false);
});

test.each([
  '请改用【POST /openapi/v2/empresas/{id}/nf-e】。',
  '请改用/openapi/v2/empresas/{id}/nf-e代替',
  'use «/openapi/v2/empresas/{id}/nf-e»',
  'use </openapi/v2/empresas/{id}/nf-e>',
  'use /openapi/v2/empresas/{id}/nf-e!',
])('punctuation of any script may stand around it: %s', (text) => {
  expect(namesReplacement(text, issuance)).toBe(true);
});

test('a longer path is not the shorter one that it begins with', () => {
  expect(namesReplacement('use /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} instead', issuance)).toBe(false);
});

test('the word that another endpoint has in the place of a variable is no value of it', () => {
  const lookup: RetiredEndpoint = { method: 'POST', path: '/x', replacement: 'chave-lookup' };
  expect(namesReplacement('use /openapi/v3/consultas/nf-e/{chave} instead', lookup)).toBe(true);
  expect(namesReplacement('use /openapi/v3/consultas/nf-e/xml instead', lookup)).toBe(false);
  expect(namesReplacement('use /openapi/v3/consultas/nf-e/{chave}/xml instead', lookup)).toBe(false);
});
