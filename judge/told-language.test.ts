import { expect, test } from 'vitest';
import type { Language } from '../contract/languages.ts';
import { languageOf } from './told-language.ts';

test.each<[Language, string]>([
  ['en', 'This API has been retired, please use GET /openapi/v3/consultas/cnpj/{cnpj} instead'],
  ['en', 'Invalid token'],
  ['en', 'Success'],
  ['pt', 'A aplicação não possui assinatura para este endpoint'],
  ['pt', 'Sucesso'],
  ['pt', 'Muitas requisições; tente novamente mais tarde (trace 7f3a-00b1)'],
  ['pt', 'A aplicac\u0327a\u0303o está desativada'],
  ['pt', 'Aplicativo "The best of this" desativado'],
  ['pt', 'Aplicativo “测试应用” desativado'],
  ['es', 'La aplicación no está suscrita a este endpoint'],
  ['es', 'Éxito'],
  ['es', 'La firma no es válida'],
  ['zh', '该接口已下线，请改用 POST /openapi/v3/consultas/nf-e/xml'],
  ['zh', 'token 无效'],
])('it is surely %s: %s', (language, message) => {
  expect(languageOf(message)).toBe(language);
});

test.each([
  'Token inválido',
  'OK',
  '',
  'token',
  'Parâmetro application ausente',
  'GET /the/is/of/pt/es',
  'not found / não encontrado, the token / o seu token',
  'id 5f0e-the-is 2026-09-04T10:00:00Z',
])('nobody is sure of what two languages share, or of names: %s', (message) => {
  expect(languageOf(message)).toBeUndefined();
});
