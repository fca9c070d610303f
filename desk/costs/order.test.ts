import { expect, test, describe } from 'vitest';
import type { Evidence } from '../../schemas/evidence.ts';
import type { CallLine } from '../../trace/lines.ts';
import { tellingOrder, type Known, curveOf, pictureOf, shareAt } from './order.ts';

describe('order', () => {
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
    expect(
      tellingOrder([{ ...line('x', echo, 200), check: 'before the first check' }], { weights: new Map() }),
    ).toEqual([]);
  });

  test('that comes first which saw a wrong server, and a second one that saw the same server tells nothing of it', () => {
    const lines = ['echo.a: one', 'echo.b: other', 'echo.c: third'].map((name) => line(name, echo, 401));
    const weights = new Map([['echo.b', 3]]);
    const lessons = [{ server: 's', seenBy: ['echo.a: one', 'echo.c: third'] }];
    expect(namesIn(lines, weights)).toEqual(['echo.b: other', 'echo.a: one', 'echo.c: third']);
    expect(namesIn(lines, weights, lessons)).toEqual(['echo.a: one', 'echo.b: other', 'echo.c: third']);
  });
});

describe('curve', () => {
  const order = [
    ['a', 1],
    ['b', 4],
    ['c', 2],
  ] as const;

  test('a curve rises where the first check has been made that sees a server', () => {
    const lessons = [
      { server: 'first', seenBy: ['b', 'a'] },
      { server: 'last', seenBy: ['c'] },
      { server: 'nobody sees it', seenBy: ['d'] },
    ];
    const curve = curveOf(order, lessons);
    expect(curve).toEqual([
      { requests: 1, share: 0.5 },
      { requests: 7, share: 1 },
    ]);
    expect([0, 1, 6, 7, 100].map((requests) => shareAt(curve, requests))).toEqual([0, 0.5, 0.5, 1, 1]);
  });

  test('a picture has a line for each curve, and its name', () => {
    const picture = pictureOf(
      [
        { name: 'learnt', shareAt: (requests) => requests / 100 },
        { name: 'by lot', shareAt: () => 0 },
      ],
      100,
    );
    expect(picture.match(/<polyline/g)).toHaveLength(2);
    expect(picture).toContain('>learnt</text>');
    expect(picture).toContain('624.0,24.0"');
  });
});
