import { describe, expect, test } from 'vitest';
import type { RetiredEndpoint } from '../contract/endpoints.ts';
import { namesReplacement } from './retirement.ts';
import type { RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/story.ts';

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

const error = { success: false, errorType: 1, message: 'não' };
const replacement = 'POST /openapi/v2/empresas/{empresaId}/nf-e';
const message = `Esta API foi descontinuada, use ${replacement} em seu lugar`;
const english = `This API has been retired, please use ${replacement} instead`;
const envelope = { ...error, code: 10009034, message };
const gone: RecordWish = { target: '/openapi/nfe/invoice/create', status: 410, body: envelope };
const inLanguage = (value: string, header = 'language'): RecordWish => ({ requestHeaders: { [header]: value } });

describe('a 410', () => {
  test('that is right keeps every clause that it shows', () => {
    expect(keptBy(gone)).toEqual([
      'encoding.of-answers',
      'errors.envelope-of-410',
      'language.portuguese-by-default',
      'retirement.gone',
      'retirement.not-implemented-code-gone',
      'retirement.replacement-named',
    ]);
    expect(brokenBy(gone)).toEqual([]);
  });

  test.each<[string, RecordWish]>([
    [
      'a text in another language',
      { ...inLanguage('pt'), body: { ...envelope, message: 'use /openapi/v2/empresas/{id}/nf-e' } },
    ],
    ['the text of a language that nobody knows', { ...inLanguage('en, pt'), body: { ...envelope, message: 'gone' } }],
    [
      'the English text by the other header',
      { ...inLanguage('en', 'accept-language'), body: { ...envelope, message: english } },
    ],
  ])('may have %s', (_, wish) => {
    expect(brokenBy({ ...gone, ...wish })).toEqual([]);
  });

  test.each<[string, RecordWish]>([
    ['errors.envelope-of-410', { body: '' }],
    ['errors.envelope-of-410', { body: { ...envelope, errorType: 2 } }],
    ['errors.envelope-of-410', { body: { ...error, message } }],
    ['retirement.gone', { body: { ...envelope, code: 10009035 } }],
    ['retirement.not-implemented-code-gone', { body: { ...envelope, code: 10009011 } }],
    ['retirement.replacement-named', { body: { ...envelope, message: 'gone' } }],
    ['retirement.replacement-in-every-language', { ...inLanguage('zh'), body: { ...envelope, message: '已停用' } }],
    ['retirement.english-text', { ...inLanguage('en'), body: { ...envelope, message: english.replace('API', 'one') } }],
    [
      'retirement.english-text',
      { ...inLanguage('en', 'accept-language'), body: { ...envelope, message: english.replace('has been', 'is') } },
    ],
    ['language.accept-language-header', inLanguage('en', 'accept-language')],
    ['retirement.standard-endpoints-live', { target: '/openapi/demo/echo' }],
    ['retirement.standard-endpoints-live', { target: '/openapi/demo/echo', body: '', signing: {} }],
  ])('breaks %s alone: %j', (clause, wish) => {
    expect(brokenBy({ ...gone, ...wish })).toEqual([clause]);
  });
});

describe('a retired path', () => {
  const lookup = { method: 'GET', target: '/openapi/cadastro/cnpj/11222333000181' };

  test.each<[string, RecordWish]>([
    ['retirement.gone', { status: 200, body: { id: 1 } }],
    ['retirement.gone', { status: 404, body: { code: 1, message: 'x' } }],
    ['retirement.gone', { status: 301, body: '' }],
    ['retirement.gone', { status: 400, body: { code: 1, message: 'x' } }],
    ['retirement.gone', { status: 500, body: { code: 1, message: 'x' } }],
    ['retirement.gone', { status: 403, body: { ...error, code: 10009015 } }],
    ['retirement.gone', { ...lookup, status: 200, body: '{}' }],
    ['retirement.replacement-named', { ...lookup, target: '/openapi/cadastro/cnpj/11.222.333-0001-81' }],
    ['retirement.before-subscription', { status: 403, body: { ...error, code: 10009005 } }],
    ['retirement.before-disabled-application', { status: 403, body: { ...error, code: 10009004 } }],
    ['retirement.before-disabled-integrator', { status: 403, body: { ...error, code: 10009014 } }],
    ['retirement.not-rate-limited', { status: 429, body: { ...error, code: 10009006 } }],
  ])('breaks %s alone: %j', (clause, wish) => {
    expect(brokenBy({ ...gone, ...wish })).toEqual([clause]);
  });

  test.each<RecordWish>([
    { status: 401, body: { ...error, code: 10009003 } },
    { status: 200, body: '{}', isRightlySigned: false },
    { status: 403, body: { ...error, code: 10009005 }, isRightlySigned: false },
    { status: 404, body: 'default backend - 404' },
    { status: 404, body: { message: 'no Route matched' } },
    { status: 404, body: { fault: { faultstring: 'x' } } },
    { status: 400, body: '<html>' },
    // How much a service takes of a body there is nowhere said.
    { status: 400, body: { code: 1, message: 'x' }, requestBody: 'x'.repeat(16_385) },
    { status: 413, body: '' },
    { status: 429, body: '' },
    { status: 403, body: '' },
    { status: 500, body: '' },
    { status: 502, body: '' },
    { status: 503, body: '' },
    { status: 404, body: '{}', target: '/openapi/nfe/invoice/create?x=1' },
    { status: 404, body: '{}', target: '/openapi/nfe/invoice/%63reate' },
    { status: 404, body: '{}', method: 'GET', target: '/openapi/cadastro/cnpj/..' },
    { status: 404, body: '{}', method: 'PUT' },
  ])('says nothing of what may be right or of somebody else: %j', (wish) => {
    expect(brokenBy({ ...gone, ...wish })).toEqual([]);
  });
});
