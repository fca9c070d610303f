import { describe, expect, test } from 'vitest';
import type { RecordLine } from '../trace/lines.ts';
import { withPassing } from './in-passing.ts';

const clause = 'retirement.gone';
const [xml, chave] = ['/openapi/nfe/verify/xml', '/openapi/nfe/verify/chave'];

/** A retired path whose 410 has another code. */
function miscoded(target: string, at: number, code = 10009035): RecordLine {
  const text = JSON.stringify({ success: false, errorType: 1, code, message: 'não' });
  const request = { method: 'POST', target, headers: [] };
  const body = { text, encoding: 'utf-8', bytes: text.length } as const;
  const response = { status: 410, headers: [], body };
  const evidence = { request, response, durationMs: 1 };
  return { check: 'a check', case: 1, kind: 'exchange', at, ids: {}, evidence };
}

function resultOf(lines: readonly RecordLine[], accepted?: string) {
  const entries = accepted === undefined ? [] : [{ reason: 'TICKET-1', endpoint: `POST ${accepted}` }];
  return withPassing([], lines, [clause], { seed: 1, knownDeviations: { [clause]: entries } })[0]?.result;
}

describe('what is seen broken in passing', () => {
  const both = [miscoded(xml, 1), miscoded(chave, 2)];

  test('is told of every endpoint, and shown by the exchange of the first one', () => {
    const result = resultOf(both);
    expect(result?.endpoint).toBe(`POST ${xml}`);
    expect(result?.ways?.map(({ endpoint }) => endpoint)).toEqual([`POST ${xml}`, `POST ${chave}`]);
    expect(result?.exchanges?.at(-1)?.request.target).toBe(xml);
    expect(result).not.toHaveProperty('known');
  });

  test.each([
    [xml, chave],
    [chave, xml],
  ])('and accepted of %s is told of another endpoint, whichever came first', (accepted, other) => {
    const result = resultOf(both, accepted);
    expect(result?.endpoint).toBe(`POST ${other}`);
    expect(result?.known).toMatchObject([{ endpoint: `POST ${accepted}` }]);
    expect(result?.exchanges?.map(({ request }) => request.target)).toEqual([other]);
  });

  test('and accepted, in however many ways, takes no place of another one', () => {
    const many = Array.from({ length: 80 }, (_, at) => miscoded(xml, at, 10009100 + at));
    expect(resultOf([...many, miscoded(chave, 1_000)], xml)?.endpoint).toBe(`POST ${chave}`);
  });

  test('and accepted wherever it was seen is what it tells of', () => {
    const result = resultOf([miscoded(xml, 1)], xml);
    expect(result).toMatchObject({ endpoint: `POST ${xml}`, known: [{ endpoint: `POST ${xml}` }] });
  });
});
