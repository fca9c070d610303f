import { describe, expect, test } from 'vitest';
import { brokenBy } from './testing/broken.ts';
import {
  authorised,
  callbackOf,
  eventOf,
  eventWith,
  unreached,
  valid,
  deliveryOf,
  without,
} from './testing/records.ts';

const rejected = { ...valid, validationStatus: 'REJECTED', reason: 'The signature does not match.' };

describe('an event that is right breaks nothing', () => {
  test.each<[string, object]>([
    ['of a valid document', valid],
    ['of a rejected one', rejected],
    ['while the authority is out of reach', unreached],
    ['with further fields', { ...valid, protocolo: { ...valid.protocolo, uf: 'PR' }, ambiente: 2 }],
    ['with events', { ...valid, status: 'Cancelada', eventos: [{ tpEvento: '110111' }] }],
    ['of a document without a chave', { ...unreached, chaveAcesso: '' }],
  ])('%s', (_, data) => {
    expect(brokenBy(eventOf({ tenant: 'a', ...eventWith(data) }))).toEqual([]);
  });
});

const id = (name: string): string => `verdict-event.${name}`;

describe('an event with one fault breaks one clause', () => {
  test.each<[string, object]>([
    ['envelope', valid],
    ['envelope', [eventWith(valid)]],
    ['envelope', without(eventWith(valid), 'data')],
    ['envelope', without(eventWith(valid), 'version')],
    ['envelope', eventWith('{}')],
    ['envelope', eventWith(null)],
    ['version', { ...eventWith(valid), version: 1 }],
    ['event-id', { ...eventWith(valid), event_id: 'e-2' }],
    ['event-id', { ...eventWith(valid), event_id: 17 }],
    ['event-type', { ...eventWith(valid), event_type: 'verification.done' }],
    ['occurred-at', { ...eventWith(valid), occurred_at: '2026-09-10T12:00:00-03:00' }],
    ['no-description-fields', { ...eventWith(valid), eventTypeDescription: 'x' }],
  ])('%s: %j', (clause, body) => {
    expect(brokenBy(eventOf(body))).toEqual([id(clause)]);
  });

  test.each<[string, object]>([
    ['fields', without(rejected, 'verifiedAt')],
    ['fields', without(unreached, 'chaveAcesso', 'eventos')],
    ['chave-acesso', { ...valid, chaveAcesso: '' }],
    ['chave-acesso', { ...rejected, chaveAcesso: '' }],
    ['chave-acesso', { ...unreached, chaveAcesso: `NFe${valid.chaveAcesso}` }],
    ['validation-status', { ...valid, validationStatus: 'OK' }],
    ['status', { ...unreached, status: null }],
    ['reason-in-english', { ...rejected, reason: 'A assinatura não confere.' }],
    ['c-stat', { ...valid, cStat: 100 }],
    ['x-motivo', { ...valid, xMotivo: [] }],
    ['return-verbatim', { ...rejected, xMotivo: 'RejeiÃ§Ã£o: Falha' }],
    ['protocolo', { ...rejected, protocolo: 17 }],
    ['protocolo', { ...valid, protocolo: { numero: '1' } }],
    ['data-autorizacao', { ...valid, dataAutorizacao: '10/09/2026' }],
    ['null-not-left-out', without(unreached, 'cStat')],
    ['null-not-left-out', without(valid, 'protocolo', 'xMotivo')],
    ['eventos', { ...valid, eventos: null }],
    ['verified-at', { ...valid, verifiedAt: 1_789_041_600 }],
    ['no-reason-when-validated', { ...valid, reason: '' }],
    ['reason-when-rejected', { ...rejected, reason: ' ' }],
    ['reason-when-unreachable', without(unreached, 'reason')],
    ['no-description-fields', { ...valid, statusDescription: 'x' }],
  ])('%s of the verdict: %j', (clause, data) => {
    expect(brokenBy(eventOf(eventWith(data)))).toEqual([id(clause)]);
  });

  test('event-type in the header, and in both', () => {
    const other = { 'x-service-event': 'invoice.verified' };
    expect(brokenBy(eventOf(eventWith(valid), other))).toEqual([id('event-type')]);
    expect(brokenBy(eventOf({ ...eventWith(valid), event_type: 'invoice.verified' }, other))).toEqual([
      id('event-type'),
    ]);
    expect(brokenBy(eventOf(eventWith(valid), { 'x-service-event': 'webhook.verify' }))).toEqual([id('event-type')]);
  });
});

test('the event id of a test is that of its header, too', () => {
  const tried = { ...eventWith({}), event_type: 'webhook.verify', event_id: 'e-2' };
  expect(brokenBy(deliveryOf({ body: tried, headers: { 'x-service-event': 'webhook.verify' } }))).toEqual([
    id('event-id'),
  ]);
});

describe('nothing is said of', () => {
  test('an event of another type, nor of the test of an address', () => {
    const company = { version: 2, event_type: 'company.updated', data: { id: 1 } };
    expect(brokenBy(deliveryOf({ body: company, headers: { 'x-service-event': 'company.updated' } }))).toEqual([]);
    const tried = { ...eventWith({}), event_type: 'webhook.verify', version: 1, event_id: undefined };
    expect(brokenBy(deliveryOf({ body: tried, headers: { 'x-service-event': 'webhook.verify' } }))).toEqual([]);
  });

  test('a test whose body tells what a verdict does', () => {
    const tried = { ...eventWith(valid), event_type: 'webhook.verify', version: 1 };
    expect(brokenBy(deliveryOf({ body: tried, headers: { 'x-service-event': 'webhook.verify' } }))).toEqual([]);
  });

  test('a callback', () => {
    expect(brokenBy(callbackOf({ ...authorised, statusDescription: 'x' }))).toEqual([]);
  });
});
