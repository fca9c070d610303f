import { expect, test } from 'vitest';
import { isPlain, isTellingError } from './answers.ts';

test.each([
  [{ code: 'X', message: 'not found' }],
  [{ code: 0, message: 'not found', status: 404 }],
  [[{ codigo: 'X', mensagem: 'não existe' }]],
  [{ success: false }],
])('an error under any status is told by its shape: %j', (json) => {
  expect(isTellingError(json)).toBe(true);
});

test.each([
  [{ code: 'X', razaoSocial: 'Padaria' }],
  [{ codigo: 17, cnpj: '1' }],
  [{ empresaId: '1', code: 0, message: 'OK' }],
  [{ status: 'Autorizada', codigo: 1, mensagem: '' }],
  [{ validation: { validationStatus: 'VALIDATED' }, code: 0, message: 'OK' }],
  [{ success: true, code: 0, message: 'OK' }],
  [[]],
])('a code among what was asked for is an added field: %j', (json) => {
  expect(isTellingError(json)).toBe(false);
});

test.each([
  ['/openapi/v2/empresas/4AB25DF9-C46A/nf-e/a.b~1', true],
  ['/openapi/v2/empresas/krUTgGjRZ6PCfPZq==/nf-e/1', true],
  ['/openapi/v2/empresas/urn:emp:7@1/nf-e', true],
  ['/openapi/v2/empresas/a%3D/nf-e', false],
  ['/openapi/v2/empresas/../nf-e', false],
  ['/openapi/v2/empresas/a;b/nf-e', false],
  ['/openapi/demo/echo?a=b', false],
])('%s is read alike by everybody on the way: %s', (target, isRead) => {
  expect(isPlain(target)).toBe(isRead);
});
