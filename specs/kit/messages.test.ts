import { expect, test } from 'vitest';
import type { RetiredEndpoint } from '../../contract/retired.ts';
import { namesReplacement } from './messages.ts';

const query: RetiredEndpoint = { method: 'POST', path: '/x', replacement: 'nfe-query' };
const issuance: RetiredEndpoint = { method: 'POST', path: '/x', replacement: 'nfe-issuance' };

test.each([
  'use GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} instead',
  'use /openapi/v2/empresas/{id}/nf-e/{id} (field status) instead',
  'use /openapi/v2/empresas/1/nf-e/2.',
])('the replacement is named by its path, placeholders in any form: %s', (text) => {
  expect(namesReplacement(text, query)).toBe(true);
});

test.each([
  'use /openapi/v2/empresas/{empresaId}/nf-e instead',
  'use nf-e query instead',
  'use /openapi/v2/empresas//nf-e/',
])('another path, a part of it or none is not the replacement: %s', (text) => {
  expect(namesReplacement(text, query)).toBe(false);
});

test('a longer path is not the shorter one that it begins with', () => {
  expect(namesReplacement('use /openapi/v2/empresas/{empresaId}/nf-e/{nfeId} instead', issuance)).toBe(false);
});
