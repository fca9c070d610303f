import { expect, test } from 'vitest';
import type { Exchange } from '../../trace/exchange.ts';
import { evidenceIn } from './shown.ts';
import { newRecord } from './trial-record.ts';

const most = { exchanges: 50, deliveries: 20, longestBody: 20_000, inAll: 1_000_000 };
const plain = { mask: (text: string): string => text };

function exchangeOf(index: number, bytes: number, headers: [string, string][] = []): Exchange {
  const parts = { token: 'token', path: '/', body: Buffer.from(`request ${index}`), timestamp: '1' };
  const request = { method: 'POST', target: '/', headers: [], rawBody: parts.body, parts };
  return { request, response: { status: 200, headers, rawBody: Buffer.alloc(bytes, 'x') }, durationMs: 1 };
}

function evidenceFor(exchanges: Exchange[]): ReturnType<typeof evidenceIn> {
  return evidenceIn({ ...newRecord(), exchanges }, plain, most);
}

test('evidence of a check takes a megabyte at most, however much came, and the last exchange is shown best', () => {
  const shown = evidenceFor(Array.from({ length: 50 }, (_, at) => exchangeOf(at, 200_000)));
  expect(JSON.stringify(shown).length).toBeLessThan(1_000_000);
  expect(shown.at(-1)?.request.body?.text).toBe('request 49');
  expect(shown.at(-1)?.response?.body).toMatchObject({ bytes: 200_000, cut: true });
  expect(shown.at(-1)?.response?.body.text).toHaveLength(20_000);
});

test('fifty exchanges of usual size are all shown, in their order', () => {
  const shown = evidenceFor(Array.from({ length: 50 }, (_, at) => exchangeOf(at, 500)));
  expect(shown.map(({ request }) => request.body?.text)).toEqual(
    Array.from({ length: 50 }, (_, at) => `request ${at}`),
  );
});

test('headers are shown as far as somebody reads them, and how many are left out', () => {
  const headers = Array.from({ length: 10_000 }, (_, at): [string, string] => [`x-${at}`, 'v'.repeat(50_000)]);
  const [shown] = evidenceFor([exchangeOf(0, 10, headers)]);
  expect(shown?.response?.headers).toHaveLength(101);
  expect(shown?.response?.headers[0]).toEqual(['x-0', 'v'.repeat(2_000)]);
  expect(shown?.response?.headers.at(-1)).toEqual(['(more headers)', '9900']);
});

test('no mask runs over much more than what is shown', () => {
  const lengths: number[] = [];
  const counting = (text: string): string => {
    lengths.push(text.length);
    return text;
  };
  const headers: [string, string][] = [['x-long', 'h'.repeat(200_000)]];
  evidenceIn({ ...newRecord(), exchanges: [exchangeOf(0, 1_000_000, headers)] }, { mask: counting }, most);
  expect(Math.max(...lengths)).toBeLessThan(25_000);
});
