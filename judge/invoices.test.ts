import { describe, expect, test } from 'vitest';
import type { RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/verdicts.ts';

const faults = [{ codigo: 'E1', mensagem: 'não' }];
const issuance: RecordWish = { target: '/openapi/v2/empresas/e1/nf-e', requestBody: '{"id":"a"}' };
const query: RecordWish = { method: 'GET', target: '/openapi/v2/empresas/e1/nf-e/n1', requestHeaders: {} };
const cancellation: RecordWish = { ...query, method: 'DELETE' };
const link = 'https://files.example/a?token=b';
const authorised = { status: 'Autorizada', linkDanfe: link, linkDownloadXml: link };
const refused = { success: false, errorType: 1, code: 10009003, message: 'x' };

describe('what is right breaks nothing, however it differs in what is free', () => {
  test.each<[string, RecordWish, string]>([
    ['an issuance', issuance, 'nfe-issuance.no-content'],
    ['a refusal', { ...issuance, status: 400, body: faults }, 'nfe-issuance.error-array'],
    [
      'a refusal with more',
      { ...issuance, status: 404, body: [{ codigo: 7, mensagem: 'x', campo: null }] },
      'nfe-issuance.error-array',
    ],
    ['no id', { ...issuance, requestBody: '{}', status: 400, body: faults }, 'nfe-issuance.id-required'],
    ['a query', { ...query, body: authorised }, 'nfe-query.xml-link'],
    [
      'other names',
      { ...query, body: { status: 'Autorizada', linkDanfe: link, urlXML: link, code: undefined } },
      'nfe-query.xml-link',
    ],
    ['no link', { ...query, body: { status: 'Negada' } }, 'nfe-query.no-danfe-link-when-denied'],
    ['null', { ...query, body: { status: 'Cancelada', linkDanfe: null } }, 'nfe-query.no-danfe-link-when-cancelled'],
    [
      '""',
      { ...query, body: { status: 'AguardandoAutorizacao', linkDanfe: '' } },
      'nfe-query.no-danfe-link-while-waiting',
    ],
    ['not found', { ...query, status: 404, body: faults }, 'nfe-query.unknown-id'],
    ['a cancellation', cancellation, 'nfe-cancellation.empty-body'],
    ['nothing to cancel', { ...cancellation, status: 404, body: faults }, 'nfe-cancellation.unknown-id'],
    ['not to be cancelled', { ...cancellation, status: 400, body: faults }, 'nfe-cancellation.error-array'],
  ])('%s', (_, wish, kept) => {
    expect(brokenBy(wish)).toEqual([]);
    expect(keptBy(wish)).toContain(kept);
  });
});

describe('what is wrong breaks one clause', () => {
  test.each<[string, RecordWish]>([
    ['nfe-issuance.status-200', { ...issuance, status: 202 }],
    ['nfe-issuance.no-content', { ...issuance, body: '{}' }],
    ['nfe-issuance.no-content', { ...issuance, body: '\n' }],
    ['nfe-issuance.no-content', { ...issuance, body: { success: true, message: '', data: null } }],
    ['nfe-issuance.error-array', { ...issuance, status: 400, body: { ...refused, code: 1 } }],
    ['nfe-issuance.error-array', { ...issuance, status: 404, body: [] }],
    ['nfe-issuance.error-array', { ...issuance, status: 400, body: [{ codigo: 'a' }] }],
    ['nfe-issuance.id-required', { ...issuance, requestBody: '{"ambienteEmissao":"Producao"}' }],
    ['nfe-issuance.id-string', { ...issuance, requestBody: '{"id":12}' }],
    ['nfe-issuance.malformed-json', { ...issuance, requestBody: '[]' }],
    ['nfe-query.bare-object', { ...query, body: { success: true, message: '', data: authorised } }],
    ['nfe-query.bare-object', { ...query, status: 203, body: authorised }],
    ['nfe-query.bare-object', { ...query, body: '"Autorizada"' }],
    ['nfe-query.status-known', { ...query, body: { status: 'autorizada' } }],
    ['nfe-query.status-known', { ...query, body: { id: 'a' } }],
    ['nfe-query.danfe-link-when-authorised', { ...query, body: { ...authorised, linkDanfe: '/danfe' } }],
    ['nfe-query.danfe-link-when-authorised', { ...query, body: { ...authorised, linkDanfe: undefined } }],
    ['nfe-query.xml-link', { ...query, body: { ...authorised, linkDownloadXml: null } }],
    ['nfe-query.no-danfe-link-when-denied', { ...query, body: { status: 'Negada', linkDanfe: link } }],
    ['nfe-query.no-danfe-link-when-cancelled', { ...query, body: { status: 'Cancelada', linkDanfe: link } }],
    ['nfe-query.no-danfe-link-while-waiting', { ...query, body: { status: 'AguardandoAutorizacao', linkDanfe: link } }],
    ['nfe-query.unknown-id', { ...query, status: 404, body: { code: 1, message: 'x' } }],
    ['nfe-cancellation.status-200', { ...cancellation, status: 204 }],
    ['nfe-cancellation.empty-body', { ...cancellation, body: '{}' }],
    ['nfe-cancellation.unknown-id', { ...cancellation, status: 404, body: { codigo: 1, mensagem: 'x' } }],
    ['nfe-cancellation.error-array', { ...cancellation, status: 400, body: { code: 1, message: 'x' } }],
    ['nfe-cancellation.error-array', { ...cancellation, status: 409, body: faults }],
  ])('%s: %j', (clause, wish) => {
    expect(brokenBy(wish)).toEqual([clause]);
  });
});

describe('nothing is said of what the clauses do not speak of', () => {
  test.each<RecordWish>([
    { ...issuance, body: refused },
    { ...issuance, body: faults },
    { ...issuance, status: 400, body: '<html>' },
    { ...issuance, status: 404, body: { message: 'no Route matched' } },
    { ...issuance, status: 400, body: '{}', isRightlySigned: false },
    { ...issuance, status: 415, body: '{}' },
    { ...issuance, status: 500, body: '{}' },
    { ...issuance, status: 503, body: '{}' },
    { ...issuance, requestBody: '{"Id":"a"}' },
    { ...issuance, requestBody: '[]', requestHeaders: { 'content-type': 'text/plain' } },
    { ...query, body: faults },
    { ...query, body: { code: 1, message: 'x' } },
    { ...query, status: 400, body: { code: 1, message: 'x' } },
    { ...query, status: 404, target: '/openapi/v2/empresas/e1/nf-e/%2F', body: { code: 1, message: 'x' } },
    { ...cancellation, body: refused },
  ])('%j', (wish) => {
    expect(brokenBy(wish)).toEqual([]);
  });
});
