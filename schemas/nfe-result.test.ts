import { describe, expect, test } from 'vitest';
import { faultsOfNfeResult } from './faults-of.ts';
import { nfeResultFields, withoutDigest, type NfeResult } from './nfe-result.ts';
import { validator } from './validate.ts';

const chave = '35200114200166000187550010000000071123456789';

const authorised: NfeResult = {
  tipo: 'NF-e',
  empresaId: 'e1',
  nfeId: 'n1',
  nfeStatus: 'Autorizada',
  nfeMotivoStatus: '',
  nfeLinkDanfe: '',
  nfeLinkXml: 'https://docs.example/xml/1?token=t',
  nfeNumero: '7',
  nfeSerie: '1',
  nfeChaveAcesso: chave,
  nfeDataEmissao: '2026-09-04T12:00:00Z',
  nfeDataAutorizacao: '04/09/2026 09:00:01',
  nfeNumeroProtocolo: '135200000000007',
  nfeDigestValue: '',
};

const denied: NfeResult = {
  ...authorised,
  nfeStatus: 'Negada',
  nfeMotivoStatus: '302 - Rejeição: Irregularidade fiscal do destinatário',
  nfeLinkXml: '',
  nfeDataAutorizacao: '',
  nfeNumeroProtocolo: '',
};

const unnumbered = { ...denied, nfeNumero: '', nfeSerie: '', nfeChaveAcesso: '', nfeDataEmissao: '' };

/** The fields that are accused when that one holds something else. */
function accused(result: object, field: string, value: unknown): string[] {
  return faultsOfNfeResult({ ...result, [field]: value }).map((fault) => /^\/(\w+) is /.exec(fault)?.[1] ?? fault);
}

test('the fields are the fourteen of the contract', () => {
  expect([...nfeResultFields].sort()).toEqual(Object.keys(authorised).sort());
  expect(nfeResultFields).toHaveLength(14);
});

test.each<[string, object]>([
  ['an authorisation', authorised],
  ['an authorisation with an unknown field', { ...authorised, nfeWebHookMetadados: null }],
  ['an authorisation with a digest', { ...authorised, nfeDigestValue: 'x' }],
  ['a denial', denied],
  ['a denial without number', unnumbered],
])('%s is a result', (_what, body) => {
  expect(faultsOfNfeResult(body)).toEqual([]);
});

describe('of a result', () => {
  test.each(nfeResultFields)('%s is always there and a text', (field) => {
    for (const body of [authorised, denied]) {
      const { [field]: _left, ...rest } = body;
      expect(faultsOfNfeResult(rest)).toEqual([`/${field} is missing`]);
      for (const value of [null, 1, ['x'], true]) expect(accused(body, field, value)).toEqual([field]);
    }
  });

  test.each([
    ['tipo', 'NFe'],
    ['tipo', ''],
    ['empresaId', ''],
    ['nfeId', ''],
    ['nfeStatus', 'Cancelada'],
    ['nfeStatus', 'autorizada'],
    ['nfeLinkDanfe', 'https://docs.example/danfe/1'],
    ['nfeChaveAcesso', chave.slice(1)],
    ['nfeDataEmissao', '2026-09-04T09:00:00-03:00'],
    ['nfeDataEmissao', '2026-09-04'],
  ])('%s is never %j', (field, value) => {
    expect(accused(authorised, field, value)).toEqual([field]);
    expect(accused(denied, field, value)).toEqual([field]);
  });
});

test.each([
  ['nfeMotivoStatus', '100 - Autorizado o uso da NF-e'],
  ['nfeLinkXml', ''],
  ['nfeLinkXml', '/xml/1'],
  ['nfeNumero', ''],
  ['nfeSerie', ''],
  ['nfeChaveAcesso', ''],
  ['nfeDataEmissao', ''],
  ['nfeDataAutorizacao', ''],
  ['nfeNumeroProtocolo', ''],
])('of an authorisation, %s is never %j', (field, value) => {
  expect(accused(authorised, field, value)).toEqual([field]);
});

test.each([
  ['nfeMotivoStatus', ''],
  ['nfeMotivoStatus', '302'],
  ['nfeMotivoStatus', 'Rejeição: Irregularidade fiscal'],
  ['nfeMotivoStatus', '302 - '],

  ['nfeLinkXml', 'https://docs.example/xml/1'],
  ['nfeDataAutorizacao', '2026-09-04T12:00:01Z'],
  ['nfeNumeroProtocolo', '135200000000007'],
])('of a denial, %s is never %j', (field, value) => {
  expect(accused(denied, field, value)).toEqual([field]);
});

test.each([
  'Rejeição 302 - Irregularidade fiscal',
  '[302] Uso Denegado',
  'Uso denegado [cStat 302]',
  '302: Rejeicao',
  '302 Uso Denegado',
  '1001 - Erro',
  '595 - 2a via: É preciso',
])('a denial can give the reason %j', (nfeMotivoStatus) => {
  expect(faultsOfNfeResult({ ...denied, nfeMotivoStatus })).toEqual([]);
});

test('a filled digest is told apart', () => {
  expect(validator(withoutDigest)(authorised)).toEqual([]);
  expect(validator(withoutDigest)({ ...authorised, nfeDigestValue: 'x' })).toEqual([
    '/nfeDigestValue is "x", but is to be ""',
  ]);
});
