import { describe, expect, test } from 'vitest';
import { signedRequest } from '../client/sign.ts';
import type { Exchange } from './exchange.ts';
import { messagesOf } from './evidence.ts';
import { digestUnder, lineOf, partialLine, recordOfLine } from './lines.ts';
import { deliveryRecord, exchangeRecord, type AddressFacts, type SteeringRecord, type TraceRecord } from './records.ts';

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
});
