import { describe, expect, test } from 'vitest';
import type { CallLine } from '../../trace/lines.ts';
import { spellIn } from './spell.ts';

const startMs = Date.parse('2026-12-01T03:00:00.000Z');
const page = '<!doctype html><title>Be right back</title>';
const paths = ['/openapi/demo/echo', '/openapi/v3/consultas/cnpj/1', '/openapi/nfe/verify/xml', '/openapi/v1/webhooks'];

/** An answer, a tenth of a second behind the one before. */
function answer(nth: number, status: number, text = '{}', target = paths[nth % paths.length] ?? ''): CallLine {
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const request = { method: 'POST', target, headers: [] };
  const evidence = { request, response: { status, headers: [], body }, durationMs: 0 };
  return { check: 'a check', case: 1, kind: 'exchange', at: startMs + nth * 100, ids: {}, evidence };
}

const right = (from: number, count: number): CallLine[] =>
  Array.from({ length: count }, (_, nth) => answer(from + nth, 200));
const wrong = (from: number, count: number, ...[status, text, target]: [number, string?, string?]): CallLine[] =>
  Array.from({ length: count }, (_, nth) => answer(from + nth, status, text, target));

describe('a spell is told', () => {
  test.each<[string, CallLine[], object]>([
    ['of pages', wrong(50, 30, 200, page), { status: 200, isPage: true }],
    ['of redirections', wrong(50, 30, 302), { status: 302 }],
    ['of 500s', wrong(50, 30, 500), { status: 500 }],
  ])('%s that every endpoint gave in one time, and none before and behind it', (_, own, kind) => {
    const found = spellIn([...right(0, 50), ...own, ...right(80, 50)]);
    const times = { from: '2026-12-01T03:00:05.000Z', to: '2026-12-01T03:00:07.900Z' };
    expect(found).toEqual({ ...times, ...kind, answers: 30, of: 30 });
  });

  test('that goes on to the end of the run, and with what was under way at its start', () => {
    const found = spellIn([...right(0, 50), ...wrong(50, 30, 500), answer(50.5, 200)]);
    expect(found).toMatchObject({ answers: 30, of: 31 });
  });
});

describe('no spell is', () => {
  test.each<[string, CallLine[]]>([
    ['what one endpoint always answers', [...right(0, 50), ...wrong(50, 30, 500, '{}', paths[1]), ...right(80, 50)]],
    ['what comes now and then', Array.from({ length: 200 }, (_, nth) => answer(nth, nth % 4 === 0 ? 500 : 200))],
    ['what all answers are', wrong(0, 100, 500)],
    ['what comes a few times', [...right(0, 50), ...wrong(50, 9, 500), ...right(80, 50)]],
    ['a refusal that the contract knows', [...right(0, 50), ...wrong(50, 30, 401), ...right(80, 50)]],
    ['a 503, which is waited for', [...right(0, 50), ...wrong(50, 30, 503), ...right(80, 50)]],
  ])('%s', (_, lines) => {
    expect(spellIn(lines)).toBeUndefined();
  });
});
