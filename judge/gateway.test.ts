import { describe, expect, test } from 'vitest';
import type { RecordWish } from './testing/records.ts';
import { brokenBy, keptBy } from './testing/verdicts.ts';

const error = { success: false, errorType: 1, message: 'não' };
const replacement = 'POST /openapi/v2/empresas/{empresaId}/nf-e';
const message = `Esta API foi descontinuada, use ${replacement} em seu lugar`;
const english = `This API has been retired, please use ${replacement} instead`;
const envelope = { ...error, code: 10009034, message };
const gone: RecordWish = { target: '/openapi/nfe/invoice/create', status: 410, body: envelope };

describe('a 403 or 429 of the gateway', () => {
  test.each<RecordWish>([
    { status: 403, body: { ...error, code: 10009005, traceId: 'x', data: null } },
    { status: 429, body: { ...error, errorType: 3, code: 10009006 } },
  ])('that is right breaks nothing: %j', (wish) => {
    expect(brokenBy(wish)).toEqual([]);
    expect(keptBy(wish)).toContain(`errors.envelope-of-${wish.status}`);
  });

  test.each<[string, RecordWish]>([
    ['errors.envelope-of-403', { status: 403, body: { ...error, errorType: 2, code: 10009005 } }],
    ['errors.envelope-of-403', { status: 403, body: { ...error, code: '10009004' } }],
    ['errors.envelope-of-403', { status: 403, body: { code: 10009005, message: 'x' } }],
    ['errors.envelope-of-429', { status: 429, body: { ...error, errorType: 'x', code: 10009006 } }],
    ['errors.envelope-of-429', { status: 429, body: { ...error, success: true, code: 10009006 } }],
    ['rate-limit.refused', { status: 429, body: { ...error, code: 10009007 } }],
  ])('breaks %s alone: %j', (clause, wish) => {
    expect(brokenBy(wish)).toEqual([clause]);
  });

  test.each<RecordWish>([
    { status: 403, body: '<html>blocked</html>' },
    { status: 403, body: { message: 'Forbidden' } },
    { status: 429, body: { message: 'Too Many Requests' } },
    { status: 429, body: { code: 429, message: 'slow down' } },
    { status: 403, target: '/elsewhere', body: { code: 10009005 } },
  ])('may come from what stands before the service: %j', (wish) => {
    expect(brokenBy(wish)).toEqual([]);
  });
});

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
    ['retirement.replacement-in-every-language', { ...inLanguage('zh'), body: { ...envelope, message: 'gone' } }],
    ['retirement.english-text', { ...inLanguage('en'), body: { ...envelope, message: english.replace('API', 'one') } }],
    ['retirement.standard-endpoints-live', { target: '/openapi/demo/echo' }],
  ])('breaks %s alone: %j', (clause, wish) => {
    expect(brokenBy({ ...gone, ...wish })).toEqual([clause]);
  });
});

describe('a retired path', () => {
  const lookup = { method: 'GET', target: '/openapi/cadastro/cnpj/11222333000181' };

  test.each<[string, RecordWish]>([
    ['retirement.gone', { status: 200, body: { id: 1 } }],
    ['retirement.gone', { status: 404, body: { code: 1, message: 'x' } }],
    ['retirement.gone', { status: 403, body: { ...error, code: 10009015 } }],
    ['retirement.gone', { ...lookup, status: 200, body: '{}' }],
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
