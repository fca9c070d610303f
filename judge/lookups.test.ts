import { describe, expect, test } from 'vitest';
import { recordOf, type RecordWish } from './testing/records.ts';
import { brokenBy, brokenByHistory, keptBy } from './testing/story.ts';

const chave = '3'.repeat(44);
const consultas = '/openapi/v3/consultas';
const document = `<nfeProc><NFe><infNFe versao="4.00" Id="NFe${chave}"/></NFe></nfeProc>`;
const requestHeaders = { 'content-type': 'application/xml' };
const verification: RecordWish = { target: `${consultas}/nf-e/xml`, requestHeaders, requestBody: document };
const byChave: RecordWish = { method: 'GET', target: `${consultas}/nf-e/${chave}`, requestHeaders: {} };
const byCnpj: RecordWish = { ...byChave, target: `${consultas}/cnpj/11222333000181` };
const byCpf: RecordWish = { ...byChave, target: `${consultas}/cpf/52998224725/01011980` };
const noCnpj: RecordWish = { ...byCnpj, target: `${consultas}/cnpj/1122` };
const verdict = { chave, validation: { validationStatus: 'REJECTED', reason: 'x' } };
const error = { code: 4711, message: 'não' };
const unknown = { code: '10015004', message: 'não' };
const wrapped = { success: true, code: 0, message: 'ok', data: verdict };
const tooLarge = { ...verification, requestBody: document + ' '.repeat(1_048_576) };

describe('what is right breaks nothing, however it differs in what is free', () => {
  test.each<[string, RecordWish, string]>([
    ['a verdict', { ...verification, body: verdict }, 'nfe-verification.validation-status'],
    [
      'an empty body refused',
      { ...verification, requestBody: '', status: 400, body: error },
      'nfe-verification.empty-body',
    ],
    ['a large body refused', { ...tooLarge, status: 400, body: error }, 'nfe-verification.too-large'],
    [
      'a verdict on a document whose own chave is written in references, with that of another beside it',
      {
        ...verification,
        requestBody: `<nfeProc><NFe><infNFe Id="&#78;&#70;&#101;${'&#51;'.repeat(44)}"/></NFe><chNFe>${'4'.repeat(44)}</chNFe></nfeProc>`,
        body: verdict,
      },
      'nfe-verification.validation-status',
    ],
    ['a chave', { ...byChave, body: verdict }, 'chave-lookup.shape-of-verification'],
    [
      'a chave that is told otherwise, or a list of others',
      { ...byChave, body: { ...verdict, chaveAcesso: `NFe${chave}`, referencias: ['4'.repeat(44)] } },
      'chave-lookup.shape-of-verification',
    ],
    ['an unknown chave', { ...byChave, status: 404, body: unknown }, 'chave-lookup.unknown-code'],
    ['a CNPJ', { ...byCnpj, body: { nome: 'x' } }, 'cnpj-lookup.bare-object'],
    [
      'fields that are called as those of an envelope',
      { ...byCnpj, body: { nome: 'x', success: true, code: 0, message: 'ok' } },
      'cnpj-lookup.bare-object',
    ],
    ['an unknown CNPJ', { ...byCnpj, status: 404, body: error }, 'cnpj-lookup.unknown'],
    ['no CNPJ', { ...noCnpj, status: 422, body: error }, 'cnpj-lookup.malformed'],
    ['a CPF', { ...byCpf, body: { nome: 'x' } }, 'cpf-lookup.bare-object'],
    ['an unknown CPF', { ...byCpf, status: 404, body: error }, 'cpf-lookup.unknown'],
  ])('%s', (_, wish, kept) => {
    expect(brokenBy(wish)).toEqual([]);
    expect(keptBy(wish)).toContain(kept);
  });
});

test('a right lookup that is turned down is so by a code and a message, whatever it was asked for', () => {
  expect(brokenBy({ ...byChave, signing: {}, status: 400, body: '' })).toEqual(['chave-lookup.unknown']);
  expect(brokenBy({ ...byCnpj, signing: {}, status: 404, body: '<p>no</p>' })).toEqual(['cnpj-lookup.unknown']);
});

test('a branch may be told of by its head office, and no other company', () => {
  const [branch, other] = ['99999999000272', '88888888000191'];
  const asked = { ...byCnpj, signing: {}, target: `${consultas}/cnpj/99999999000191` };
  expect(brokenBy({ ...asked, body: { cnpj: branch } })).toEqual([]);
  expect(brokenBy({ ...asked, body: { cnpj: other } })).toEqual(['cnpj-lookup.bare-object']);
});

describe('what was just found and is not found again', () => {
  const own = { signing: {}, caller: { name: 'app-1', standing: {} } };
  const told = (...wishes: readonly RecordWish[]): readonly string[] =>
    brokenByHistory(wishes.map((wish, at) => recordOf({ sentAtMs: at * 1_000, ...own, ...wish })));
  const found = { ...byChave, body: verdict };

  test.each<[string, RecordWish, RecordWish]>([
    ['chave-lookup.shape-of-verification', found, { ...byChave, status: 400, body: '' }],
    ['chave-lookup.shape-of-verification', found, { ...byChave, status: 500, body: error }],
    ['cnpj-lookup.bare-object', { ...byCnpj, body: { nome: 'x' } }, { ...byCnpj, status: 404, body: error }],
    ['cpf-lookup.bare-object', { ...byCpf, body: { nome: 'x' } }, { ...byCpf, status: 404, body: '<p>no</p>' }],
  ])('breaks %s', (clause, first, second) => {
    expect(told(first, second)).toEqual([clause]);
  });

  test('says nothing where something was verified meanwhile, somebody else found it, or the gateway refuses', () => {
    const refused = { ...byChave, status: 404, body: unknown };
    expect(told(found, { ...verification, body: verdict }, refused)).toEqual([]);
    expect(told({ ...found, caller: { name: 'app-2', standing: {} } }, refused)).toEqual([]);
    expect(told(found, { ...refused, sentAtMs: 120_000 })).toEqual([]);
    expect(told(found, { ...byChave, status: 429, body: {} })).toEqual([]);
    expect(told({ ...byCnpj, body: { nome: 'x' } }, { ...byCnpj, status: 402, body: error })).toEqual([]);
  });

  test('says nothing of another number, after an answer that told nothing, nor of a request that somebody may read otherwise', () => {
    const refused = { ...byCnpj, status: 404, body: error };
    expect(told({ ...byCnpj, target: `${consultas}/cnpj/99999999000191`, body: { nome: 'x' } }, refused)).toEqual([]);
    expect(told({ ...byCnpj, body: {} }, refused)).toEqual([]);
    const unreached = { validation: { validationStatus: 'VALIDATION_ERROR' } };
    expect(told({ ...byChave, body: unreached }, { ...byChave, status: 404, body: unknown })).toEqual([]);
    expect(told({ ...byCnpj, body: { nome: 'x' } }, { ...refused, requestBody: '{}' })).toEqual([]);
  });
});

describe('what is wrong breaks one clause', () => {
  test.each<[string, RecordWish]>([
    ['nfe-verification.bare', { ...verification, body: wrapped }],
    ['nfe-verification.validation-status', { ...verification, body: { validation: { validationStatus: 'OK' } } }],
    ['nfe-verification.validation-status', { ...verification, body: {} }],
    ['nfe-verification.validation-status', { ...verification, body: { ...verdict, chave: '4'.repeat(44) } }],
    ['nfe-verification.empty-body', { ...verification, requestBody: '', body: verdict }],
    ['nfe-verification.empty-body', { ...verification, requestBody: '', status: 400, body: [{ codigo: 1 }] }],
    ['nfe-verification.too-large', { ...tooLarge, body: verdict }],
    ['nfe-verification.too-large', { ...tooLarge, status: 400, body: { ...error, success: false } }],
    ['nfe-verification.system-error', { ...verification, status: 500, body: {} }],
    ['nfe-verification.system-error', { ...byChave, status: 500, body: 'NullPointerException' }],
    ['nfe-verification.system-error', { ...byChave, status: 507, body: error }],
    ['chave-lookup.bare', { ...byChave, body: wrapped }],
    ['chave-lookup.shape-of-verification', { ...byChave, body: { validationStatus: 'VALIDATED' } }],
    ['chave-lookup.shape-of-verification', { ...byChave, status: 422, body: verdict }],
    [
      'chave-lookup.shape-of-verification',
      { ...byChave, body: { validation: { ...verdict.validation, chaveAcesso: '4'.repeat(44) } } },
    ],
    ['chave-lookup.unknown', { ...byChave, status: 404, body: { ...unknown, message: '' } }],
    ['chave-lookup.unknown-code', { ...byChave, status: 404, body: error }],
    ['chave-lookup.malformed', { ...byChave, target: `${consultas}/nf-e/12`, body: verdict }],
    ['cnpj-lookup.bare-object', { ...byCnpj, body: wrapped }],
    ['cnpj-lookup.bare-object', { ...byCnpj, target: `${byCnpj.target}?ordem=id`, body: wrapped }],
    ['chave-lookup.bare', { ...byChave, target: `${byChave.target}?ordem=id`, body: wrapped }],
    ['nfe-verification.without-chave', { ...verification, requestBody: '<a>b</a>', status: 400, body: [error] }],
    [
      'nfe-verification.without-chave',
      { ...verification, requestBody: 'b', status: 400, body: { ...error, success: false } },
    ],
    ['cnpj-lookup.bare-object', { ...byCnpj, body: [{ nome: 'x' }] }],
    ['cnpj-lookup.unknown', { ...byCnpj, status: 404, body: [{ codigo: 1, mensagem: 'x' }] }],
    ['cnpj-lookup.malformed', { ...noCnpj, body: { nome: 'x' } }],
    ['cnpj-lookup.malformed', { ...noCnpj, status: 400, body: { code: 1 } }],
    ['cnpj-lookup.malformed', { ...noCnpj, signing: {}, status: 404, body: '' }],
    ['cpf-lookup.unknown', { ...byCpf, signing: {}, status: 404, body: '<p>Not found</p>' }],
    ['cpf-lookup.bare-object', { ...byCpf, body: wrapped }],
    ['cpf-lookup.unknown', { ...byCpf, status: 404, body: { ...error, success: false } }],
    ['cpf-lookup.malformed', { ...byCpf, target: `${consultas}/cpf/5299/01011980`, body: { nome: 'x' } }],
  ])('%s (%#)', (clause, wish) => {
    expect(brokenBy(wish)).toEqual([clause]);
  });
});

describe('nothing is said of what the clauses do not speak of', () => {
  test.each<RecordWish>([
    { ...verification, requestBody: '<a>', body: {} },
    { ...verification, requestBody: '', status: 411 },
    { ...verification, requestBody: '', status: 400, body: error, isRightlySigned: false },
    { ...verification, requestBody: '', body: verdict, isRightlySigned: false },
    { ...verification, body: error },
    { ...verification, status: 503, body: {} },
    { ...verification, status: 500, body: error },
    { ...verification, status: 500, body: {}, isRightlySigned: false },
    { ...tooLarge, status: 413, body: '' },
    { ...byChave, status: 404, body: 'default backend - 404' },
    { ...byChave, status: 404, body: { message: 'no Route matched' } },
    { ...byChave, target: `${consultas}/nf-e/xml`, status: 400, body: {} },
    { ...byCnpj, body: {} },
    { ...byCnpj, body: 'null' },
    { ...byCnpj, status: 204 },
    { ...byCnpj, status: 404, body: { code: 1 }, isRightlySigned: false },
    { ...byCnpj, target: `${consultas}/cnpj/AB22333000181C`, body: { nome: 'x' } },
    { ...byCnpj, target: `${consultas}/cnpj/11%2E222`, body: { nome: 'x' } },
    { ...byCpf, status: 502, body: {} },
  ])('row %#', (wish) => {
    expect(brokenBy(wish)).toEqual([]);
  });
});
