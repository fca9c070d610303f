import { describe, expect, test } from 'vitest';
import { deliveryFault, deliverySignature, hasToken, type ReceivedDelivery } from './verify-delivery.ts';

const appSecret = 'segredo-ficticio';
const rawBody = Buffer.from('{"nfeId":"a", "nfeStatus":"Autorizada"}\n');
// printf '1725451200.{"nfeId":"a", "nfeStatus":"Autorizada"}\n' | openssl dgst -sha256 -hmac segredo-ficticio
const signature = '0b86de8086ba309cc638913a8f62c1b8a54a101f5aac45e3fe1867b67d417947';
const options = { appSecret, headerPrefix: 'X-Service', nowSeconds: 1_725_451_200 };

function delivery(changes: Record<string, string | undefined> = {}, body = rawBody): ReceivedDelivery {
  const headers = { 'x-service-timestamp': '1725451200', 'x-service-signature': signature, ...changes };
  const present = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  return { headers: present, rawBody: body };
}

describe('webhook-signature.receiver-raw-bytes: a delivery', () => {
  test('is genuine when its signature is the one that openssl makes of the bytes', () => {
    expect(deliverySignature(appSecret, '1725451200', rawBody)).toBe(signature);
    expect(deliveryFault(delivery(), options)).toBeUndefined();
  });

  test('is not genuine once its JSON was written anew', () => {
    const again = Buffer.from(JSON.stringify(JSON.parse(rawBody.toString())));
    expect(deliveryFault(delivery({}, again), options)).toBe('its signature does not fit its bytes');
  });

  test.each([
    ['in capitals', signature.toUpperCase()],
    ['cut', signature.slice(0, -1)],
    ['empty', ''],
    ['of another secret', deliverySignature('outro', '1725451200', rawBody)],
    ['of another timestamp', deliverySignature(appSecret, '1725451201', rawBody)],
  ])('is not genuine with a signature %s', (_, wrong) => {
    expect(deliveryFault(delivery({ 'x-service-signature': wrong }), options)).toBe(
      'its signature does not fit its bytes',
    );
  });

  test.each([
    ['signature', 'x-service-signature', 'it has no signature'],
    ['timestamp', 'x-service-timestamp', 'it has no timestamp in Unix seconds'],
  ])('without %s is not genuine', (_, header, fault) => {
    expect(deliveryFault(delivery({ [header]: undefined }), options)).toBe(fault);
  });

  test('may carry another brand in its headers', () => {
    const { headers } = delivery();
    const branded = headers.map(([name, value]) => [name.replace('x-service', 'X-Marca'), value] as const);
    expect(deliveryFault({ headers: branded, rawBody }, { ...options, headerPrefix: 'x-marca' })).toBeUndefined();
  });
});

describe('webhook-signature.receiver-old-timestamp: a delivery', () => {
  test.each([0, 300, -300])('that is %i seconds old is taken', (age) => {
    expect(deliveryFault(delivery(), { ...options, nowSeconds: options.nowSeconds + age })).toBeUndefined();
  });

  test.each([301, -301])('that is %i seconds old is refused', (age) => {
    const later = { ...options, nowSeconds: options.nowSeconds + age };
    expect(deliveryFault(delivery(), later)).toBe(`its timestamp is ${age} s old`);
  });
});

describe('webhook-signature.receiver-constant-time: a signature', () => {
  test('that is wrong in its first and in its last character gets the same answer', () => {
    const first = `${signature.startsWith('0') ? '1' : '0'}${signature.slice(1)}`;
    const last = `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`;
    for (const wrong of [first, last]) {
      expect(deliveryFault(delivery({ 'x-service-signature': wrong }), options)).toBe(
        'its signature does not fit its bytes',
      );
    }
  });
});

describe('webhook-signature.receiver-token: an issuance callback', () => {
  test('is ours when its token is the registered one, character for character', () => {
    expect(hasToken(delivery({ token: 'Abc 1' }), 'Abc 1')).toBe(true);
  });

  test.each([undefined, '', 'abc 1', 'Abc 1 ', 'Abc'])('with the token %j is not', (token) => {
    expect(hasToken(delivery({ token }), 'Abc 1')).toBe(false);
  });
});
