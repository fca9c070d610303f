import { expect, test } from 'vitest';
import type { Evidence } from '../../schemas/evidence.ts';
import type { CallLine } from '../../trace/lines.ts';
import { tellingOrder, type Known } from './order.ts';

let at = 1_790_000_000_000;

/** An answer to a request that nobody signed, in the order in which they are made. */
function line(check: string, target: string, status: number): CallLine {
  at += 1000;
  const body = { text: '{"code":"10009001","message":"m","success":false}', encoding: 'utf-8', bytes: 49 } as const;
  const evidence: Evidence = {
    request: { method: 'POST', target, headers: [] },
    response: { status, headers: [['content-type', 'application/json']], body },
    durationMs: 1,
  };
  return { kind: 'exchange', at, check: `specs/a.spec.ts ${check}`, case: 1, ids: {}, evidence };
}

const echo = '/openapi/echo';

const namesIn = (lines: readonly CallLine[], weights: Known['weights'], lessons?: Known['lessons']): string[] =>
  tellingOrder(lines, { weights, ...(lessons ? { lessons } : {}) }).map(([name]) => name);

test('of checks of one clause weight, that comes first which sends less', () => {
  const lines = [line('echo.a: dear', echo, 401), line('echo.a: dear', echo, 401), line('echo.b: cheap', echo, 401)];
  const weights = new Map([
    ['echo.a', 1],
    ['echo.b', 1],
  ]);
  expect(namesIn(lines, weights)).toEqual(['echo.b: cheap', 'echo.a: dear']);
});

test('that comes first whose clause more wrong services break', () => {
  const lines = [line('echo.a: one', echo, 401), line('echo.b: other', echo, 401)];
  const weights = new Map([
    ['echo.a', 1],
    ['echo.b', 30],
  ]);
  expect(namesIn(lines, weights)).toEqual(['echo.b: other', 'echo.a: one']);
});

test('a second check of a clause tells less than the first one of another', () => {
  const lines = [line('echo.a: one', echo, 401), line('echo.a: two', echo, 401), line('echo.b: other', echo, 401)];
  const weights = new Map([
    ['echo.a', 10],
    ['echo.b', 8],
  ]);
  expect(namesIn(lines, weights)).toEqual(['echo.a: one', 'echo.b: other', 'echo.a: two']);
});

test('what was sent before the first check is none', () => {
  expect(tellingOrder([{ ...line('x', echo, 200), check: 'before the first check' }], { weights: new Map() })).toEqual(
    [],
  );
});

test('that comes first which saw a wrong server, and a second one that saw the same server tells nothing of it', () => {
  const lines = ['echo.a: one', 'echo.b: other', 'echo.c: third'].map((name) => line(name, echo, 401));
  const weights = new Map([['echo.b', 3]]);
  const lessons = [{ server: 's', seenBy: ['echo.a: one', 'echo.c: third'] }];
  expect(namesIn(lines, weights)).toEqual(['echo.b: other', 'echo.a: one', 'echo.c: third']);
  expect(namesIn(lines, weights, lessons)).toEqual(['echo.a: one', 'echo.b: other', 'echo.c: third']);
});
