import { describe, expect, test } from 'vitest';
import {
  authorisedInvoice,
  authorisedResult,
  deniedResult,
  invoice,
  nfeResultFields,
  unauthorisedInvoice,
  withoutDigest,
} from './invoice.ts';
import { codeMessage, errorArray, issuanceRequest, registration } from './messages.ts';
import { validator } from './validate.ts';
import { explainedVerdict, nullableVerdictFields, validatedVerdict, verdictEvent } from './verdict.ts';

const chave = '35200114200166000187550010000000071123456789';
const link = 'https://docs.example/danfe/1?token=t';

const authorised = {
  tipo: 'NF-e',
  empresaId: 'e1',
  nfeId: 'n1',
  nfeStatus: 'Autorizada',
  nfeMotivoStatus: '',
  nfeLinkDanfe: '',
  nfeLinkXml: link,
  nfeNumero: '7',
  nfeSerie: '1',
  nfeChaveAcesso: chave,
  nfeDataEmissao: '2026-09-04T12:00:00Z',
  nfeDataAutorizacao: '04/09/2026 09:00:01',
  nfeNumeroProtocolo: '135200000000007',
  nfeDigestValue: '',
};
const denied = {
  ...authorised,
  nfeStatus: 'Negada',
  nfeMotivoStatus: '302 - Rejeição: Irregularidade fiscal do destinatário',
  nfeLinkXml: '',
  nfeDataAutorizacao: '',
  nfeNumeroProtocolo: '',
};
const unnumbered = { ...denied, nfeNumero: '', nfeSerie: '', nfeChaveAcesso: '', nfeDataEmissao: '' };
const validated = {
  chaveAcesso: chave,
  validationStatus: 'VALIDATED',
  status: 'Autorizada',
  cStat: '100',
  xMotivo: 'Autorizado o uso da NF-e',
  protocolo: { numero: '135200000000007', digestValue: 'x=' },
  dataAutorizacao: '2026-09-04T12:00:00Z',
  eventos: [],
  verifiedAt: '2026-09-04T12:00:00.123Z',
};
const rejected = { ...validated, validationStatus: 'REJECTED', reason: 'The signature does not match' };
const event = {
  version: '1.0',
  event_id: 'a1',
  event_type: 'invoice.verify.completed',
  occurred_at: '2026-09-04T12:00:00+00:00',
  data: validated,
};

test.each<[object, unknown]>([
  [codeMessage, { code: 10015004, message: 'not found' }],
  [codeMessage, { code: '10015004', message: 'não encontrada', traceId: 'a' }],
  [errorArray, [{ codigo: 'NFe0003', mensagem: 'não pode ser atualizada', campo: 'id' }]],
  [
    errorArray,
    [
      { codigo: 42, mensagem: 'x' },
      { codigo: '2', mensagem: 'y' },
    ],
  ],
  [issuanceRequest, { id: '1', ambienteEmissao: 'Producao', itens: [] }],
  [issuanceRequest, { id: '1', ambienteEmissao: 'Homologacao' }],
  [registration, { empresaId: '0B5A-11', status: 'ativa' }],
  [authorisedInvoice, { status: 'Autorizada', linkDanfe: link, numero: 7 }],
  [unauthorisedInvoice, { status: 'Negada' }],
  [unauthorisedInvoice, { status: 'AguardandoAutorizacao', linkDanfe: null }],
  [unauthorisedInvoice, { status: 'Cancelada', linkDanfe: '' }],
  [authorisedResult, authorised],
  [authorisedResult, { ...authorised, nfeDigestValue: 'x', nfeWebHookMetadados: null }],
  [withoutDigest, authorised],
  [deniedResult, denied],
  [deniedResult, unnumbered],
  [validatedVerdict, { ...validated, eventos: [{ tpEvento: '110111' }, 'x'], ambiente: 'Homologacao' }],
  [explainedVerdict, rejected],
  [explainedVerdict, { ...rejected, validationStatus: 'VALIDATION_ERROR', status: 'Desconhecida' }],
  [verdictEvent, event],
])('%o takes %j', (schema, body) => {
  expect(validator(schema)(body)).toEqual([]);
});

test.each<[object, unknown, string]>([
  [codeMessage, { message: 'x' }, '/code is missing'],
  [codeMessage, { code: 1 }, '/message is missing'],
  [codeMessage, { code: null, message: 'x' }, '/code is null'],
  [codeMessage, { code: 1, message: '' }, '/message is ""'],
  [codeMessage, [{ code: 1, message: 'x' }], 'but is to be an object'],
  [codeMessage, { success: false, errorType: 1, code: 1, message: 'x' }, '/success is not expected there'],
  [errorArray, [], 'the body is [], but must NOT have fewer than 1 items'],
  [errorArray, { codigo: '1', mensagem: 'x' }, 'but is to be an array'],
  [errorArray, ['x'], '/0 is "x", but is to be an object'],
  [errorArray, [{ mensagem: 'x' }], '/0/codigo is missing'],
  [errorArray, [{ codigo: 1, mensagem: 'x' }, { codigo: 1 }], '/1/mensagem is missing'],
  [errorArray, [{ codigo: null, mensagem: 'x' }], '/0/codigo is null'],
  [errorArray, [{ codigo: 1, mensagem: ' ' }], '/0/mensagem is " "'],
  [issuanceRequest, { ambienteEmissao: 'Homologacao' }, '/id is missing'],
  [issuanceRequest, { id: '1' }, '/ambienteEmissao is missing'],
  [issuanceRequest, { id: '', ambienteEmissao: 'Homologacao' }, '/id is ""'],
  [issuanceRequest, { id: 1, ambienteEmissao: 'Homologacao' }, '/id is 1, but is to be a string'],
  [
    issuanceRequest,
    { id: '1', ambienteEmissao: 'Homologação' },
    '/ambienteEmissao is "Homologação", but is to be one of',
  ],
  [registration, {}, '/empresaId is missing'],
  [registration, { empresaId: '' }, '/empresaId is ""'],
  [registration, { empresaId: 7 }, '/empresaId is 7, but is to be a string'],
  [registration, { data: { empresaId: 'e1' } }, '/empresaId is missing'],
  [registration, [{ empresaId: 'e1' }], 'but is to be an object'],
  [invoice, { status: 'Denegada' }, '/status is "Denegada"'],
  [invoice, { success: true, data: { status: 'Negada' } }, '/status is missing'],
  [authorisedInvoice, { status: 'Autorizada' }, '/linkDanfe is missing'],
  [authorisedInvoice, { status: 'Autorizada', linkDanfe: '/danfe/1' }, '/linkDanfe is "/danfe/1"'],
  [unauthorisedInvoice, { status: 'Negada', linkDanfe: link }, 'but is to be one of [null,""]'],
  [withoutDigest, { nfeDigestValue: 'x' }, '/nfeDigestValue is "x", but is to be ""'],
  [validatedVerdict, { ...validated, reason: 'x' }, '/reason is not expected there'],
  [explainedVerdict, { ...validated, validationStatus: 'REJECTED' }, '/reason is missing'],
  [explainedVerdict, { ...rejected, reason: ' ' }, '/reason is " "'],
])('%o refuses %j', (schema, body, fault) => {
  expect(validator(schema)(body).join('; ')).toContain(fault);
});

describe('a callback', () => {
  test.each(nfeResultFields)('always has %s, a text', (field) => {
    for (const [schema, body] of [
      [authorisedResult, authorised],
      [deniedResult, denied],
    ] as const) {
      const { [field]: _left, ...rest } = body;
      expect(validator(schema)(rest)).toEqual([`/${field} is missing`]);
      expect(validator(schema)({ ...body, [field]: 1 })[0]).toMatch(`/${field} is 1`);
    }
  });

  test.each([
    ['tipo', 'NFe'],
    ['empresaId', ''],
    ['nfeStatus', 'Cancelada'],
    ['nfeLinkDanfe', link],
    ['nfeChaveAcesso', chave.slice(1)],
    ['nfeDataEmissao', '2026-09-04T09:00:00-03:00'],
  ])('never has %s %j', (field, value) => {
    expect(validator(authorisedResult)({ ...authorised, [field]: value })).toHaveLength(1);
    expect(validator(deniedResult)({ ...denied, [field]: value })).toHaveLength(1);
  });

  test.each([
    ['nfeMotivoStatus', '100 - Autorizado o uso da NF-e'],
    ['nfeLinkXml', '/xml/1'],
    ...['nfeNumero', 'nfeSerie', 'nfeChaveAcesso', 'nfeDataEmissao', 'nfeNumeroProtocolo'].map((name) => [name, '']),
  ])('of an authorisation never has %s %j', (field = '', value) => {
    expect(validator(authorisedResult)({ ...authorised, [field]: value })).toHaveLength(1);
  });

  test.each([
    ...['', '302', 'Rejeição: Irregularidade fiscal', '302 - '].map((reason) => ['nfeMotivoStatus', reason]),
    ['nfeLinkXml', link],
    ['nfeDataAutorizacao', '2026-09-04T12:00:01Z'],
    ['nfeNumeroProtocolo', '135200000000007'],
  ])('of a denial never has %s %j', (field = '', value) => {
    expect(validator(deniedResult)({ ...denied, [field]: value })).toHaveLength(1);
  });

  test.each([
    '[302] Uso Denegado',
    'Uso denegado [cStat 302]',
    '302: Rejeicao',
    '1001 - Erro',
    '595 - 2a via: É preciso',
  ])('can give the reason %j for a denial', (nfeMotivoStatus) => {
    expect(validator(deniedResult)({ ...denied, nfeMotivoStatus })).toEqual([]);
  });
});

describe('a verdict', () => {
  test.each(nullableVerdictFields)('can have null as %s, or lack it', (field) => {
    const { [field]: _left, ...rest } = validated;
    expect(validator(validatedVerdict)({ ...validated, [field]: null })).toEqual([]);
    expect(validator(validatedVerdict)(rest)).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['chaveAcesso', undefined],
    ['chaveAcesso', 'x'],
    ['validationStatus', 'PENDING'],
    ['status', 'Negada'],
    ['cStat', 100],
    ['xMotivo', {}],
    ['protocolo', { numero: '1' }],
    ['protocolo', { numero: 1, digestValue: 'x=' }],
    ['dataAutorizacao', '2026-09-04T12:00:00-03:00'],
    ['dataAutorizacao', ''],
    ['eventos', {}],
    ['verifiedAt', '2026-09-04'],
    ['verifiedAt', undefined],
  ])('never has in %s %j', (field, value) => {
    expect(validator(validatedVerdict)({ ...validated, [field]: value })).toHaveLength(1);
  });

  test.each<[string, unknown]>([
    ['version', 1],
    ['event_id', ''],
    ['event_type', 'webhook.verify'],
    ['occurred_at', '2026-09-04T12:00:00'],
    ['data', [validated]],
    ['data', undefined],
  ])('never comes in an event that has in %s %j', (field, value) => {
    expect(validator(verdictEvent)({ ...event, [field]: value })).toHaveLength(1);
  });
});
