import { describe, expect, test } from 'vitest';
import { brokenBy } from './testing/broken.ts';
import { authorised, callbackOf, eventOf, eventWith, valid, deliveryOf } from './testing/records.ts';

const tried = { event_type: 'webhook.verify' };
const ofTest = { 'x-service-event': 'webhook.verify' };

describe('a delivery that is right breaks nothing', () => {
  test.each(['application/json', 'Application/JSON; charset=utf-8', 'application/vnd.nfe+json'])('as %s', (type) => {
    const headers = { 'content-type': type };
    expect(brokenBy(callbackOf(authorised, headers))).toEqual([]);
    expect(brokenBy(eventOf(eventWith(valid), headers))).toEqual([]);
    expect(brokenBy(deliveryOf({ body: tried, headers: { ...ofTest, ...headers } }))).toEqual([]);
  });

  test('whose test has a token, where that may be of an address for callbacks, or no event type in its body', () => {
    expect(brokenBy(deliveryOf({ body: tried, headers: { ...ofTest, token: 't' } }))).toEqual([]);
    expect(brokenBy(deliveryOf({ body: {}, headers: ofTest }))).toEqual([]);
  });
});

const id = (name: string): string => `webhook-delivery.${name}`;

describe('a delivery with one fault breaks one clause', () => {
  test.each<[string, string, string]>([
    ['event-header', 'x-service-event', ''],
    ['event-id-header', 'x-service-event-id', ' '],
    ['delivery-id-header', 'x-service-delivery-id', ''],
    ['signature-header', 'x-service-signature', ''],
    ['timestamp-header', 'x-service-timestamp', ''],
    ['timestamp-header', 'x-service-timestamp', '1789041600000'],
    ['timestamp-header', 'x-service-timestamp', '2026-09-10T12:00:00Z'],
    ['media-type', 'content-type', 'text/plain'],
    ['media-type', 'content-type', ''],
  ])('%s, in callbacks and tests: %s is "%s"', (clause, name, value) => {
    expect(brokenBy(callbackOf(authorised, { [name]: value }))).toEqual([id(clause)]);
    expect(brokenBy(deliveryOf({ body: tried, headers: { ...ofTest, [name]: value } }))).toEqual([id(clause)]);
  });

  test.each(['event', 'event-id', 'delivery-id', 'timestamp', 'signature'])('a verdict without %s', (name) => {
    const headers = { [`x-service-${name}`]: '' };
    expect(brokenBy(eventOf(eventWith(valid), headers))).toEqual([id('headers-of-verdicts')]);
  });

  test('a verdict with a token, or with a timestamp in milliseconds', () => {
    expect(brokenBy(eventOf(eventWith(valid), { token: 't' }))).toEqual([id('no-token-on-verdicts')]);
    const headers = { 'x-service-timestamp': '1789041600000' };
    expect(brokenBy(eventOf(eventWith(valid), headers))).toEqual([id('timestamp-header')]);
  });

  test('a test of an address for verdicts with a token', () => {
    const address = { name: 'a', channel: 'verification', caller: 'b' } as const;
    const testing = { ...deliveryOf({ body: tried, headers: { ...ofTest, token: 't' } }), address };
    expect(brokenBy(testing)).toEqual([id('no-token-on-verdicts')]);
  });

  test('another method, or a body that is no JSON', () => {
    expect(brokenBy(deliveryOf({ method: 'PUT', body: authorised, headers: { token: 't' } }))).toEqual([
      id('post-with-json'),
    ]);
    expect(brokenBy(callbackOf(JSON.stringify(authorised).slice(1)))).toEqual([id('post-with-json')]);
  });

  test('a body in Latin-1 that does not say so', () => {
    const motivo = 'Uso Denegado: irregularidade do destinatário';
    const body = Buffer.from(JSON.stringify({ ...authorised, nfeMotivoStatus: motivo }), 'latin1');
    const inLatin1 = { ...callbackOf(authorised), body };
    expect(brokenBy(inLatin1)).toEqual([id('post-with-json')]);
    const headers = new Map([...inLatin1.headers, ['content-type', 'application/json; charset=ISO-8859-1']]);
    expect(brokenBy({ ...inLatin1, headers })).toEqual([]);
  });

  test('a signature with a capital letter', () => {
    const headers = { 'x-service-signature': '0123456789ABCDEF'.repeat(4) };
    expect(brokenBy(callbackOf(authorised, headers))).toEqual(['webhook-signature.lowercase-hex']);
  });
});

describe('nothing is said of', () => {
  test.each(['GET', 'HEAD', 'OPTIONS'])('a %s that asks whether the address is there', (method) => {
    expect(brokenBy(deliveryOf({ method, body: '', headers: { 'content-type': '' } }))).toEqual([]);
  });

  test.each(['', 'a=1', '[]', '{"event":"push"}'])('what somebody else posts: %s', (body) => {
    const none = { 'x-service-event': '', 'x-service-event-id': '', 'x-service-signature': '', 'content-type': '' };
    expect(brokenBy(deliveryOf({ body, headers: none }))).toEqual([]);
  });

  test('whose a signature is of another length', () => {
    expect(brokenBy(callbackOf(authorised, { 'x-service-signature': 'ABC=' }))).toEqual([]);
  });
});
