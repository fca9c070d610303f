import { expect, test } from 'vitest';
import type { RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/verdicts.ts';

const company: RecordWish = { target: '/openapi/v2/empresas', body: { empresaId: 'e1', nome: 'x' } };
const certificate: RecordWish = {
  target: '/openapi/v1/empresas/e1/certificadoDigital',
  requestHeaders: { 'content-type': 'multipart/form-data; boundary=x' },
};
const address: RecordWish = { target: '/openapi/v1/webhooks', requestBody: '{"uri":"https://a.example"}' };
const wrapped = { success: true, code: 0, message: 'ok', data: { empresaId: 'e1' } };

test.each<[RecordWish, string]>([
  [company, 'empresa-registration.empresa-id'],
  [{ ...company, body: { empresaId: 'e1', success: true } }, 'empresa-registration.bare'],
  [certificate, 'certificado-association.status-200'],
  [{ ...certificate, body: '{"id":1}' }, 'certificado-association.bare'],
  [address, 'webhook-url.registration-status-200'],
  [{ ...address, requestBody: '{"uri":"ftp://a"}', status: 422, body: '{}' }, 'webhook-url.absolute-http-only'],
])('what is right breaks nothing: %j', (wish, kept) => {
  expect(brokenBy(wish)).toEqual([]);
  expect(keptBy(wish)).toContain(kept);
});

test.each<[string, RecordWish]>([
  ['empresa-registration.empresa-id', { ...company, body: {} }],
  ['empresa-registration.empresa-id', { ...company, body: { empresaId: 7 } }],
  ['empresa-registration.empresa-id', { ...company, body: '' }],
  ['empresa-registration.bare', { ...company, body: wrapped }],
  ['empresa-registration.status-200', { ...company, status: 201 }],
  ['certificado-association.bare', { ...certificate, body: wrapped }],
  ['certificado-association.status-200', { ...certificate, status: 204 }],
  ['webhook-url.registration-bare', { ...address, body: wrapped }],
  ['webhook-url.registration-status-200', { ...address, status: 201 }],
  ['webhook-url.absolute-http-only', { ...address, requestBody: '{"uri":"ftp://a"}' }],
])('breaks %s alone: %j', (clause, wish) => {
  expect(brokenBy(wish)).toEqual([clause]);
});

test.each<RecordWish>([
  { ...company, status: 400, body: '{}' },
  { ...company, status: 500, body: '{}' },
  { ...company, body: { success: false, code: 10009003, message: 'x' } },
  { ...address, requestBody: '{"uri":"http:"}' },
  { ...address, requestBody: '{"uri":7}' },
  { ...address, requestBody: '{"uri":"ftp://a"}', status: 503 },
])('nothing is said of what the clauses do not speak of: %j', (wish) => {
  expect(brokenBy(wish)).toEqual([]);
});
