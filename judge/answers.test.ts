import { expect, test, describe } from 'vitest';
import { isPlain, isTellingError, isUnread, notJson, statusText, summaryOf } from './answers.ts';
import { recordOf, type RecordWish, authorised, callbackOf } from './testing/records.ts';
import { observationsOf } from './judge.ts';
import { cachedAnswer } from '../trace/records.ts';
import { brokenBy, keptBy } from './testing/story.ts';

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

const envelope = { success: false, errorType: 1, code: 10009003, message: 'não confere' };

function brokenIn(json: unknown, status = 401): string[] {
  const record = recordOf({ status, body: typeof json === 'string' ? json : JSON.stringify(json) });
  return observationsOf(record).flatMap(({ clause, broken }) => (broken ? [clause] : []));
}

test.each<[RecordWish, string]>([
  [{ status: 401, body: { code: 10009003 } }, '401, code 10009003'],
  [{ status: 400, body: [{ codigo: 'ID-REPETIDO', mensagem: 'x' }] }, '400, codigo "ID-REPETIDO"'],
  [{ status: 400, body: { error: 'x' } }, '400, no code'],
  [{ status: 500, body: 'Bad Gateway' }, '500, a body that is no JSON'],
  [{ status: 413, body: '<!-- x -->\n<html><head><title>413</title>' }, '413, an HTML page'],
  [{ status: 302 }, '302, an empty body'],
])('%j is summed up as: %s', (wish, words) => {
  expect(summaryOf(recordOf(wish))).toBe(words);
});

test('of JSON in another encoding than UTF-8 it is told that it is none', () => {
  const said = ['utf8', 'latin1'] as const;
  const told = said.map((encoding) => notJson({ body: Buffer.from('{"message":"não', encoding) }));
  expect(told).toEqual(['a body that is no JSON', 'a body that is no UTF-8']);
});

test.each<[RecordWish, string]>([
  [{ status: 200, body: '<!doctype html><title>NF-e</title>' }, '200, an HTML page'],
  [{ status: 404, body: '\n<h1>Not Found</h1><p>The requested resource was not found</p>' }, '404, an HTML page'],
  [{ status: 200, body: '{"code":1}' }, '200'],
])('the status of %j is told as: %s', (wish, words) => {
  expect(statusText(recordOf(wish))).toBe(words);
});

test.each<[string, RecordWish, boolean]>([
  ['that a framework sends', { status: 404, body: { error: 'Not Found' } }, true],
  ['of the endpoint itself', { status: 404, body: { code: 10015004, message: 'x' } }, false],
  ['of the gateway', { status: 404, body: { code: 10009003, message: 'x' } }, false],
])('a 404 %s in answer to a path with a query tells of the query alone, or not', (_, wish, isSo) => {
  const isSoOf = (method: string, target: string): boolean =>
    isUnread(recordOf({ method, target, ...wish }), {
      target,
      requestBody: Buffer.alloc(0),
      hasTransfer: false,
      contentType: 'application/json',
    });
  expect(isSoOf('GET', '/openapi/v3/consultas/nf-e/1?page=1')).toBe(isSo);
  expect(isSoOf('GET', '/openapi/v3/consultas/nf-e/1')).toBe(false);
  expect(isSoOf('POST', '/openapi/nfe/invoice/query?page=1')).toBe(false);
});

test('a 411 tells of the way in which a body was sent, where that was one of its own', () => {
  const record = recordOf({ status: 411, body: '' });
  const isSoOf = (hasTransfer: boolean): boolean =>
    isUnread(record, { target: record.target, requestBody: Buffer.from('{}'), hasTransfer, contentType: '' });
  expect([true, false].map(isSoOf)).toEqual([true, false]);
});

test.each<[string, boolean]>([
  ['application/json', false],
  ['application/json; charset=utf-8', true],
  ['text/xml', false],
  ['multipart/form-data; boundary=x', false],
  ['text/plain', true],
  ['', true],
])('a 415 tells of a type that is not shown to be taken: %s', (contentType, isSo) => {
  const record = recordOf({ status: 415, body: '' });
  const sent = { target: record.target, requestBody: Buffer.from('{}'), hasTransfer: false, contentType };
  expect(isUnread(record, sent)).toBe(isSo);
});

test('a 415 in words of the service tells of the service, but of a charset', () => {
  const body = { code: 'TYPE', message: 'Unsupported media type' };
  const isSoOf = (contentType: string, more: object): boolean => {
    const record = recordOf({ status: 415, body: { ...body, ...more } });
    return isUnread(record, { target: record.target, requestBody: Buffer.from('{}'), hasTransfer: false, contentType });
  };
  expect(isSoOf('text/plain', {})).toBe(false);
  expect(isSoOf('application/json; charset=utf-8', {})).toBe(true);
  expect(isSoOf('text/plain', { statusCode: 415 })).toBe(true);
});

test.each<[string, string, boolean]>([
  ['with its message alone', '{"message":"a"}', false],
  ['with another member', '{"message":"a","b":1}', true],
  ['that is no object', '"a"', false],
  ['that is no JSON', '{"message":', false],
])('a 400, 409 or 422 tells of what an echo has more than is shown, of one %s', (_, sent, isSo) => {
  for (const status of [400, 409, 422]) {
    const record = recordOf({ status, body: { code: status, message: 'x' } });
    const isSoOf = (requestBody: Buffer): boolean =>
      isUnread(record, { target: record.target, requestBody, hasTransfer: false, contentType: 'application/json' });
    expect(isSoOf(Buffer.from(sent))).toBe(isSo);
  }
});

describe('the envelope of a 401', () => {
  test('that is right breaks nothing, whatever is added to it', () => {
    expect(brokenIn(envelope)).toEqual([]);
    expect(brokenIn({ ...envelope, data: null, traceId: 'x', errors: [] })).toEqual([]);
  });

  test.each([
    ['envelope.success-false-on-errors', { ...envelope, success: true }],
    ['envelope.error-type', { ...envelope, errorType: '1' }],
    ['envelope.code-integer', { ...envelope, code: '10009003' }],
    ['envelope.message-text', { ...envelope, message: ' ' }],
    ['envelope.message-text', { ...envelope, message: '10009003' }],
    ['envelope.message-text', { ...envelope, message: 'A assinatura n\uFFFDo confere' }],
    ['envelope.message-text', { ...envelope, message: 'A assinatura nÃ£o confere' }],
    ['envelope.on-every-401', 'no JSON'],
    ['envelope.on-every-401', [envelope]],
  ])('breaks %s alone', (clause, json) => {
    expect(brokenIn(json)).toEqual([clause]);
  });
});

const encodings: readonly (readonly [encoding: string | undefined, isBroken: boolean])[] = [
  [undefined, false],
  ['', false],
  ['identity', false],
  [' Identity, identity', false],
  ['gzip', true],
  ['br, gzip', true],
  ['identity, deflate', true],
];

/** Whether a record breaks that clause; `undefined` where it says nothing of it. */
function breaks(record: Parameters<typeof observationsOf>[0], clause: string): boolean | undefined {
  const seen = observationsOf(record).find((observation) => observation.clause === clause);
  return seen && seen.broken !== undefined;
}

const answer = (encoding: string | undefined, wish: RecordWish = {}): ReturnType<typeof recordOf> =>
  recordOf({ body: '{}', ...wish, headers: encoding === undefined ? {} : { 'content-encoding': encoding } });

test.each(encodings)('an answer and a delivery with Content-Encoding %j: broken is %j', (encoding, isBroken) => {
  expect(breaks(answer(encoding), 'encoding.of-answers')).toBe(isBroken);
  const headers = new Map(encoding === undefined ? [] : [['content-encoding', encoding]]);
  expect(breaks({ ...callbackOf(authorised), headers }, 'encoding.of-deliveries')).toBe(isBroken);
});

test('an encoding that was asked for, and that of nothing, say nothing', () => {
  const asked = answer('gzip', { requestHeaders: { 'accept-encoding': 'gzip' } });
  expect(breaks(asked, 'encoding.of-answers')).toBeUndefined();
  expect(breaks({ ...answer('gzip'), body: Buffer.alloc(0) }, 'encoding.of-answers')).toBeUndefined();
});

test.each([
  [{ age: '12' }, cachedAnswer],
  [{ 'x-cache': 'HIT from proxy' }, cachedAnswer],
  [{ 'cf-cache-status': 'HIT' }, cachedAnswer],
  [{ 'x-cache': 'TCP_HIT from edge' }, cachedAnswer],
  [{ 'cache-status': 'edge; hit; ttl=30' }, cachedAnswer],
  [{ 'cache-status': 'edge; fwd=miss' }, undefined],
  [{ age: '0', 'x-varnish': '32770 5' }, cachedAnswer],
  [{ age: '0', 'x-varnish': '32770' }, undefined],
  [{ age: '0' }, undefined],
  [{ 'x-cache': 'MISS' }, undefined],
  [{}, undefined],
])('a wrong answer with %j is told to be a cache’s: %j', (headers, hint) => {
  const record = recordOf({ status: 200, body: '{}', headers, isRightlySigned: false });
  const broken = observationsOf(record).flatMap((observation) => observation.broken ?? []);
  expect(broken.length).toBeGreaterThan(0);
  for (const one of broken) expect(one.hint === cachedAnswer ? one.hint : undefined).toBe(hint);
});

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
