import { expect, test } from 'vitest';
import type { Exchange } from '../../trace/exchange.ts';
import { hold, startOf, wholeCharacters } from './shown.ts';

const mega = 1024 * 1024;

function exchangeOf(rawBody: Buffer): Exchange {
  const parts = { token: 't', path: '/', body: Buffer.alloc(0), timestamp: '1' };
  const request = { method: 'POST', target: '/', headers: [], parts };
  return { request, response: { status: 200, headers: [], rawBody }, durationMs: 1 };
}

function bytesIn(exchanges: readonly Exchange[]): number {
  return exchanges.reduce((sum, { response }) => sum + (response?.rawBody.length ?? 0), 0);
}

test('a check holds a few megabytes of bodies, and of its older exchanges only their start', () => {
  const held: Exchange[] = [];
  const replaced: number[] = [];
  for (let at = 0; at < 40; at++) {
    hold(held, exchangeOf(Buffer.alloc(mega, at)), (whole) => replaced.push(whole.response?.rawBody[0] ?? -1));
    expect(bytesIn(held)).toBeLessThan(10 * mega);
  }
  expect(held).toHaveLength(40);
  expect(held.at(-1)?.response?.rawBody).toHaveLength(mega);
  expect(held[0]?.response).toMatchObject({ status: 200, wholeBytes: mega });
  expect(replaced.slice(0, 3)).toEqual([0, 1, 2]);
});

test('an exchange whose body is short stays the one that it is', () => {
  const exchange = exchangeOf(Buffer.from('short'));
  expect(startOf(exchange, 10)).toBe(exchange);
});

test('how many bytes came stays known however often a body is cut', () => {
  const once = startOf(exchangeOf(Buffer.alloc(1_000)), 100);
  expect(startOf(once, 10).response).toMatchObject({ rawBody: Buffer.alloc(10), wholeBytes: 1_000 });
});

test('a text is cut between two characters, and what is no text anywhere', () => {
  expect(wholeCharacters(Buffer.from('aç€😀'), 7).toString()).toBe('aç€');
  expect(wholeCharacters(Buffer.alloc(20, 0x80), 10)).toHaveLength(6);
});
