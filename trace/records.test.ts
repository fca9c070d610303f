import { describe, expect, test } from 'vitest';
import { signedRequest, type SignedRequest } from '../client/sign.ts';
import type { Response } from './exchange.ts';
import { exchangeRecord } from './records.ts';

const origin = { appSecret: 'secret', nowSeconds: 1_757_000_000 };
const call = { method: 'GET', path: '/openapi/v3/consultas/cnpj/1' } as const;
const request = signedRequest({ call, token: 'secret', timestamp: '1757000000', origin });
const response: Response = { status: 200, headers: [], rawBody: Buffer.from('{"a":"ç"}', 'utf8') };

function recordOf(changes: Partial<SignedRequest>, answer: Partial<Response> = {}) {
  const record = exchangeRecord({
    request: { ...request, ...changes },
    response: { ...response, ...answer },
    durationMs: 1,
  });
  return record?.kind === 'exchange' ? record : undefined;
}

describe('an exchange as a record', () => {
  test('reads the body in its charset', () => {
    expect(recordOf({})?.json).toEqual({ a: 'ç' });
    const latin = { headers: [['Content-Type', 'application/json; charset=latin1']] as const };
    expect(recordOf({}, { ...latin, rawBody: Buffer.from('{"a":"ç"}', 'latin1') })?.json).toEqual({ a: 'ç' });
  });

  test('is none where the body was cut or could not be decoded', () => {
    expect(recordOf({}, { wholeBytes: 9_000_000 })).toBeUndefined();
    expect(recordOf({}, { undecoded: 'no gzip, though it is said to be' })).toBeUndefined();
  });

  test('joins the values of a header that was sent twice', () => {
    const headers = [...request.headers, ['Language', 'en'], ['language', 'pt']] as const;
    expect(recordOf({ headers })?.requestHeaders.get('language')).toBe('en, pt');
  });

  test('is rightly signed where the three headers are there once each, as its caller is to send them', () => {
    const replaced = (name: string, value: string): SignedRequest['headers'] =>
      request.headers.map(([own, sent]) => [own, own === name ? value : sent]);
    expect(recordOf({})?.isRightlySigned).toBe(true);
    for (const name of ['token', 'timestamp', 'sign']) {
      expect(recordOf({ headers: replaced(name, 'x') })?.isRightlySigned).toBe(false);
    }
    expect(recordOf({ headers: [...request.headers, ['Token', 'secret']] })?.isRightlySigned).toBe(false);
    expect(recordOf({ parts: { ...request.parts, path: '/other' } })?.isRightlySigned).toBe(false);
  });

  test('has the time and the distance of its timestamp from when it went out, not from when it was made', () => {
    const waited = (sentAtMs: number, madeAtMs?: number) =>
      exchangeRecord({
        request: { ...request, origin: { ...origin, ...(madeAtMs === undefined ? {} : { madeAtMs }) } },
        response,
        sentAtMs,
        durationMs: 1,
      });
    const facts = { nowSeconds: 1_757_000_007, signing: { aheadSeconds: -7 }, isRightlySigned: true };
    expect(waited(17_900, 10_000)).toMatchObject(facts);
    expect(waited(71_000, 10_000)).toMatchObject({ isRightlySigned: false });
    expect(waited(17_900)).toMatchObject({ nowSeconds: 1_757_000_000, signing: { aheadSeconds: 0 } });
  });

  test('knows a token that a rotation has made invalid', () => {
    const signing = { isOwnToken: false, isFormerToken: true };
    expect(recordOf({ origin: { ...origin, appSecret: 'new', formerSecrets: ['secret'] } })).toMatchObject({ signing });
    expect(recordOf({})?.signing).not.toHaveProperty('isFormerToken');
  });
});
