import { describe, expect, test } from 'vitest';
import { observationsOf } from './judge.ts';
import { brokenBy } from './testing/broken.ts';
import { brokenByHistory, newStory } from './testing/story.ts';
import { authorised, callbackOf, denied, eventOf, eventWith, valid, deliveryOf, without } from './testing/records.ts';

describe('a callback that is right breaks nothing', () => {
  test.each<[string, object]>([
    ['of an authorised invoice', authorised],
    ['of a denied one without number', denied],
    [
      'of a denied one that says what had been given',
      {
        ...denied,
        nfeNumero: '7',
        nfeSerie: '1',
        nfeChaveAcesso: '4'.repeat(44),
        nfeDataEmissao: '2026-09-10T12:00:00Z',
      },
    ],
    ['whose reason has its code behind', { ...denied, nfeMotivoStatus: 'Uso denegado [cStat 1302]' }],
    [
      'with further fields, one of them an event type',
      { ...authorised, event_type: 'nfe', success: true, requestId: 1 },
    ],
    ['in another order', Object.fromEntries(Object.entries(authorised).toReversed())],
    ['with a time in +00:00', { ...authorised, nfeDataEmissao: '2026-09-10T12:00:00+00:00' }],
  ])('%s', (_, body) => {
    expect(brokenBy(callbackOf(body))).toEqual([]);
  });
});

const id = (name: string): string => `issuance-callback.${name}`;

describe('a callback with one fault breaks one clause', () => {
  test.each<[string, object]>([
    ['bare-object', { success: true, code: 0, message: 'OK', data: authorised }],
    ['bare-object', [denied]],
    ['all-fields', without(authorised, 'nfeDigestValue')],
    ['all-fields', { ...authorised, nfeMotivoStatus: null }],
    ['all-fields', without(authorised, 'nfeStatus')],
    ['all-fields-when-denied', without(denied, 'nfeLinkXml', 'nfeSerie')],
    ['texts', { ...authorised, nfeNumero: 7, nfeSerie: 1 }],
    ['texts', { ...denied, nfeChaveAcesso: [] }],
    ['tipo', { ...authorised, tipo: 'NFe' }],
    ['empresa-id', { ...denied, empresaId: '' }],
    ['status-authorised', { ...authorised, nfeStatus: 'autorizada' }],
    ['status-denied', { ...denied, nfeStatus: 'Rejeitada' }],
    ['motivo-of-denial', { ...denied, nfeMotivoStatus: '' }],
    ['motivo-of-denial', { ...denied, nfeMotivoStatus: '302' }],
    ['motivo-of-denial', { ...denied, nfeMotivoStatus: 'Uso Denegado' }],
    ['motivo-of-denial', { ...denied, nfeMotivoStatus: '302 - Irregularidade fiscal do destinatÃ¡rio' }],
    ['no-motivo-when-authorised', { ...authorised, nfeMotivoStatus: '100 - Autorizado' }],
    ['no-danfe-link', { ...authorised, nfeLinkDanfe: 'https://nfe.example/d' }],
    ['xml-link', { ...authorised, nfeLinkXml: '/x' }],
    ['no-xml-link-when-denied', { ...denied, nfeLinkXml: 'https://nfe.example/x' }],
    ['numero-and-serie', { ...authorised, nfeSerie: '' }],
    ['chave', { ...authorised, nfeChaveAcesso: '4'.repeat(43) }],
    ['data-emissao', { ...authorised, nfeDataEmissao: '2026-09-10T12:00:00' }],
    ['data-autorizacao', { ...authorised, nfeDataAutorizacao: '' }],
    ['no-data-autorizacao-when-denied', { ...denied, nfeDataAutorizacao: '2026-09-10T12:00:00Z' }],
    ['protocolo', { ...authorised, nfeNumeroProtocolo: '' }],
    ['no-protocolo-when-denied', { ...denied, nfeNumeroProtocolo: '1' }],
    ['fields-of-denial', { ...denied, nfeChaveAcesso: '4' }],
    ['fields-of-denial', { ...denied, nfeLinkDanfe: 'https://nfe.example/d' }],
    ['no-digest', { ...authorised, nfeDigestValue: 'x' }],
    ['none-on-cancellation', { ...authorised, nfeStatus: 'Cancelada', nfeMotivoStatus: '101', tipo: 'x' }],
  ])('%s: %j', (clause, body) => {
    expect(brokenBy(callbackOf(body))).toEqual([id(clause)]);
  });

  test.each(['', ' '])('the token "%s"', (token) => {
    expect(brokenBy(callbackOf(denied, { token }))).toEqual([id('token')]);
  });
});

describe('nothing is said of the callback', () => {
  test.each<[string, object]>([
    [
      'of an outcome that is none',
      { ...authorised, nfeStatus: 'AguardandoAutorizacao', nfeMotivoStatus: '101', tipo: 'x' },
    ],
    ['in a test of the address that looks like one', { ...authorised, event_type: 'webhook.verify', tipo: 'teste' }],
    ['in what somebody else posts', { tipo: 'boleto', nfeStatus: 'paga', valor: 12 }],
  ])('%s', (_, body) => {
    expect(brokenBy(callbackOf(body))).toEqual([]);
  });

  test('in an event', () => {
    expect(brokenBy(eventOf(eventWith(valid)))).toEqual([]);
    expect(brokenBy(deliveryOf({ body: { nota: 1 }, headers: { 'x-service-event': '' } }))).toEqual([]);
  });
});

test('a callback without its token, at an address for verdicts, is told as that', () => {
  const address = { name: 'a', channel: 'verification', caller: 'c' } as const;
  const elsewhere = { ...deliveryOf({ body: authorised }), address };
  const told = observationsOf(elsewhere).flatMap(({ broken }) => broken?.actual ?? []);
  expect(told).toEqual(['an issuance result at an address for verdicts, without a token header']);
});

describe('a denial with the chave of an authorised invoice', () => {
  const ofDenial = [id('fields-of-denial')];

  function brokenBehind(nfeNumero: string): readonly string[] {
    const story = newStory();
    const nfeChaveAcesso = '3'.repeat(44);
    story.comes({ channel: 'issuance', body: { ...authorised, nfeId: 'a', nfeNumero: '7', nfeChaveAcesso } });
    story.comes({ channel: 'issuance', body: { ...denied, nfeId: 'b', nfeNumero, nfeChaveAcesso } });
    return brokenByHistory(story.records, ofDenial);
  }

  test('of another number is not its own', () => {
    expect(brokenBehind('8')).toEqual(ofDenial);
  });

  test.each(['7', ''])('may be its own where its number is "%s"', (number) => {
    expect(brokenBehind(number)).toEqual([]);
  });
});
