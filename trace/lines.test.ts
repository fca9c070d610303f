import { describe, expect, test } from 'vitest';
import { signedRequest } from '../client/sign.ts';
import type { Exchange } from './exchange.ts';
import { messagesOf } from './evidence.ts';
import { digestUnder, lineOf, partialLine, recordOfLine } from './lines.ts';
import { deliveryRecord, exchangeRecord, type AddressFacts, type SteeringRecord, type TraceRecord } from './records.ts';
import fc from 'fast-check';
import { secretsReceived, withoutLinkTokens, withoutTokenInTarget } from './links.ts';

const token = 'fjQwErTyUiOpAsDfGhJk';

describe('of a link, what may be a token is hidden', () => {
  test.each([
    ['the values of a query', 'https://h/xml?token=abc&x=1', 'https://h/xml?token=$linkToken&x=$linkToken'],
    ['a query without a name', `https://h/xml?${token}`, 'https://h/xml?$linkToken'],
    ['a segment without a digit', `https://h/danfe/${token}`, 'https://h/danfe/$linkToken'],
    ['a segment in small letters', 'https://h/danfe/abcdefghij', 'https://h/danfe/$linkToken'],
    ['a segment in the middle', `https://h/${token}/danfe.pdf`, 'https://h/$linkToken/danfe.pdf'],
    ['what is behind a number sign', `https://h/xml#${token}`, 'https://h/xml#$linkToken'],
    ['who is let in', 'https://user:pass@h/xml', 'https://$linkToken@h/xml'],
    [
      'a link in JSON as some write it',
      `{"l":"https:\\/\\/h\\/xml\\/${token}"}`,
      '{"l":"https:\\/\\/h\\/xml\\/$linkToken"}',
    ],
    [
      'an escaped query',
      String.raw`{"l":"HTTPS://h/xml?id=1\u0026token=abc","a":"\u0022https://h/xml?t=abc\u0022, 1"}`,
      String.raw`{"l":"HTTPS://h/xml?id=$linkToken\u0026token=$linkToken","a":"\u0022https://h/xml?t=$linkToken\u0022, 1"}`,
    ],
    [
      'JSON in a string of JSON',
      `"{\\"l\\":\\"https:\\\\/\\\\/h\\\\/${token}\\"}"`,
      '"{\\"l\\":\\"https:\\\\/\\\\/h\\\\/$linkToken\\"}"',
    ],
    [
      'a link in HTML',
      `<a href="https://h/xml?a=1&amp;t=${token}">`,
      '<a href="https://h/xml?a=$linkToken&amp;t=$linkToken">',
    ],
  ])('%s', (_, text, masked) => {
    expect(withoutLinkTokens(text)).toBe(masked);
  });

  test('and the rest of it stays, as do names of XML', () => {
    for (const text of [
      'https://h.example:8080/openapi/v2/empresas/1/nf-e/xml',
      '<NFe xmlns="http://www.portalfiscal.inf.br/nfe">',
      '<SignatureMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#rsa-sha256"/>',
      'no link: http is a protocol',
    ])
      expect(withoutLinkTokens(text)).toBe(text);
  });

  test.each([
    `http://www.w3.org/2000/09/?link=https://h/xml/${token}`,
    `http://www.w3.org/2000/09/,https://h/xml/${token}`,
    `http://www.w3.org/2000/09/&quot;/xml/${token}`,
    `http://www.w3.org@h/xml/${token}`,
    `http://www.w3.org.h/xml/${token}`,
    `http://h/http://www.w3.org/${token}`,
    String.raw`http:\/\/h\/www.w3.org\/${token}`,
  ])('also in what only looks like a name of XML: %s', (text) => {
    expect(withoutLinkTokens(text)).not.toContain(token);
  });

  test('in the path of a request that follows one', () => {
    expect(withoutTokenInTarget(`/documentos/${token}?key=1`)).toBe('/documentos/$linkToken?key=$linkToken');
  });

  test('whatever the token, the host and what stands around it', () => {
    const tokens = fc.stringMatching(/^[A-Za-z0-9_-]{8,80}$/).filter((text) => /[A-Z]/.test(text));
    const around = fc.constantFrom('', '"', ' (', '{"x":"', '<a>', '\\"', 'x ', '%20');
    fc.assert(
      fc.property(tokens, around, fc.constantFrom('/', '/a/', '/?t=', '?', '/x#'), (text, before, way) => {
        expect(withoutLinkTokens(`${before}https://host${way}${text}${before}`)).not.toContain(text);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what lets whoever knows it in is a secret from then on', () => {
  const of = (body: string, headers: [string, string][] = [], sent = ''): Record<string, string> =>
    Object.fromEntries(secretsReceived({ headers, body }, sent));

  test('tokens of links, as they stand in the body and in headers', () => {
    expect(of(`{"linkDanfe":"https://h/danfe/${token}?k=12345abcdef"}`)).toEqual({
      [token]: '$linkToken',
      '12345abcdef': '$linkToken',
    });
    expect(of('', [['X-Next', `see https://h/${token}`]])).toEqual({ [token]: '$linkToken' });
  });

  test('relative links in headers and under names that say so', () => {
    expect(of('', [['Location', `/xml/${token}?a=b`]])).toEqual({ [token]: '$linkToken' });
    expect(of(`{"a":[{"nfeLinkXml":"/xml/${token}"}]}`)).toEqual({ [token]: '$linkToken' });
  });

  test('but no host, wherever a header leads to', () => {
    for (const value of [
      'https://login-of-somebody.test/openapi',
      '//login-of-somebody.test/openapi',
      '<https://a-long-host.test>; rel="next"',
    ])
      expect(of('', [['Location', value]])).toEqual({});
  });

  test('but no words that stand under such a name', () => {
    expect(of('{"linkDanfe":"Bittencourt, Maria","urlXml":"dispon&iacute;vel mais tarde"}')).toEqual({});
  });

  test('the password before a host, also by itself', () => {
    expect(of(`{"a":"https://integrador:${token}@h/xml"}`)).toEqual({
      [`integrador:${token}`]: '$linkToken',
      [token]: '$linkToken',
    });
  });

  test('values of cookies', () => {
    expect(of('', [['Set-Cookie', `sid=${token}; Path=/; HttpOnly`]])).toEqual({ [token]: '$cookie' });
  });

  test('but nothing that we sent, nor what may be a time or a key of an invoice', () => {
    const chave = '35260100000000000000550010000000011000000013';
    expect(of(`{"link":"https://h/xml/nota-0001?c=${chave}&until=1763801980"}`, [], '/nf-e/nota-0001')).toEqual({});
  });

  test('and no more of them than evidence needs, however many there are', () => {
    const many = Array.from({ length: 5_000 }, (_, index) => `https://h/${token}${index}`).join(' ');
    expect(Object.keys(of(many))).toHaveLength(50);
  });
});

const place = { check: 'a check', case: 1 };
const digest = digestUnder('key');
const veil = { mask: (text: string): string => text.replaceAll('the-secret', '$APP_SECRET') };
const caller = { name: 'app-1', standing: {}, hasOwnClock: true } as const;
const origin = { appSecret: 'the-secret', nowSeconds: 1_757_000_000, caller };

function exchangeOf(path: string, body: object): Exchange {
  const call = { method: 'GET', path };
  const request = signedRequest({ call, token: 'the-secret', timestamp: '1757000000', origin });
  const response = { status: 200, headers: [['X-A', '1']] as const, rawBody: Buffer.from(JSON.stringify(body)) };
  return { request, response, sentAtMs: 1_000, durationMs: 2 };
}

/** What is read back of a record that was written down. */
function readBack(record: TraceRecord, exchange: Exchange): TraceRecord | undefined {
  return recordOfLine(lineOf(place, record, messagesOf(exchange, veil, 10_000), digest));
}

describe('a line of a trace', () => {
  const query = exchangeOf('/openapi/v2/empresas/e-1/nf-e/n-1', { status: 'Autorizada', linkDanfe: 'https://a/d?t=1' });

  test('tells of an exchange all that a judge reads, but for secrets and names', () => {
    const record = exchangeRecord(query, { clause: 'nfe-query.found-by-id', faults: 'accepted' });
    if (record?.kind !== 'exchange') throw new Error('no record');
    const again = readBack(record, query);
    const { requestHeaders, ids, ...told } = record;
    expect(again).toMatchObject(told);
    expect(again).toMatchObject({ isRightlySigned: true, caller, nowSeconds: 1_757_000_000 });
    expect(JSON.stringify(lineOf(place, record, messagesOf(query, veil, 10_000), digest))).not.toContain('the-secret');
    expect(requestHeaders.get('token')).toBe('the-secret');
    expect(ids).toEqual({ empresaId: 'e-1', nfeId: 'n-1', links: ['/d?t=1'], danfe: '/d?t=1' });
    expect(again?.kind === 'exchange' && again.ids).toEqual({
      empresaId: digest('e-1'),
      nfeId: digest('n-1'),
      links: [digest('/d?t=1')],
      danfe: digest('/d?t=1'),
    });
  });

  test('hides a name alike for alike, and otherwise under another key', () => {
    expect(digest('n-1')).toBe(digestUnder('key')('n-1'));
    expect(digest('n-1')).not.toBe(digest('n-2'));
    expect(digest('n-1')).not.toBe(digestUnder('other')('n-1'));
  });

  test('tells of a delivery where it came to, what it was answered, and whether it is signed right', () => {
    const headers = [['X-Service-Event-Id', 'e-1']] as const;
    const arrival = {
      method: 'POST',
      target: '/hook',
      headers,
      rawBody: Buffer.from('{}'),
      isTooLarge: false,
      arrivedAtMs: 5,
    };
    const address: AddressFacts = { name: 'a', channel: 'issuance', caller: 'app-1' };
    const record = deliveryRecord(arrival, 'X-Service', {
      address,
      answer: 500,
      answeredAfterMs: 1,
      signature: 'right',
    });
    if (!record) throw new Error('no record');
    const request = { method: 'POST', target: '/hook', headers: [['X-Service-Event-Id', 'e-1']] as [string, string][] };
    const body = { text: '{}', encoding: 'utf-8', bytes: 2 } as const;
    const line = lineOf(place, record, { request: { ...request, body }, received: true, durationMs: 0 }, digest);
    expect(recordOfLine(line)).toMatchObject({
      kind: 'delivery',
      answer: 500,
      signature: 'right',
      address: { name: digest('a'), caller: 'app-1', channel: 'issuance' },
      ids: { eventId: digest('e-1') },
      json: {},
    });
  });

  test('tells what was done by the control API, and gives it back', () => {
    const steering: SteeringRecord = {
      kind: 'steering',
      atMs: 1,
      durationMs: 2,
      method: 'POST',
      path: '/applications/a/clock',
      json: { advanceSeconds: 60 },
      application: 'a',
      status: 200,
      ids: {},
    };
    expect(readBack(steering, query)).toEqual(steering);
  });

  test('of a request without a whole answer is no record', () => {
    expect(recordOfLine(partialLine(place, false, 1, messagesOf(query, veil, 10_000)))).toBeUndefined();
  });

  test('tells of a request whose connection broke, and gives it back', () => {
    const { response: _, ...lost } = { ...query, sentAtMs: 7, error: 'ECONNRESET' };
    const aim = { clause: 'echo.status', faults: 'accepted' } as const;
    const record = exchangeRecord(lost, aim);
    expect(record).toMatchObject({ kind: 'lost', sentAtMs: 7, aim });
    expect(record && readBack(record, lost)).toEqual(record);
  });

  test.each<[string, Partial<Exchange>]>([
    ['that came too late', { isLate: true }],
    [
      'to a body that is still sent when a server has read enough',
      { request: { ...query.request, rawBody: Buffer.alloc(20_000) } },
    ],
  ])('tells of no answer %s', (_, change) => {
    const { response: _response, ...lost } = { ...query, sentAtMs: 7, ...change };
    expect(exchangeRecord(lost)).toBeUndefined();
  });
});
