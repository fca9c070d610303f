import { describe, expect, test } from 'vitest';
import { costBy } from '../../contract/endpoints.ts';
import { fitted, type SeenCheck } from './measure.ts';
import type { Evidence } from '../../schemas/evidence.ts';
import type { CallLine } from '../../trace/lines.ts';
import { tellingOrder, type Known, curveOf, pictureOf, shareAt } from './order.ts';

/** A check that was seen to send so many requests. */
function seen(examples: number, generated: number, requests: number, more: Partial<SeenCheck> = {}): SeenCheck {
  return { clause: 'echo.a', examples, generated, own: { ...costBy(() => 0), requests }, uses: [], ...more };
}

describe('what a check costs', () => {
  test('is told apart: anyway 2, by an example 3, by a generated case 5', () => {
    const of = (examples: number, generated: number): SeenCheck =>
      seen(examples, generated, 2 + 3 * examples + 5 * generated);
    expect(fitted({ few: [of(4, 0)], many: [of(4, 50)], impolite: of(9, 0) })).toEqual({ requests: [2, 3, 5] });
  });

  test('by examples that are always tried is no more than what it costs anyway', () => {
    expect(fitted({ few: [seen(4, 0, 14)], many: [seen(4, 50, 264)] })).toEqual({ requests: [14, 0, 5] });
  });

  test('that never varies is shared out among what is tried', () => {
    expect(fitted({ few: [seen(0, 1, 7)], many: [seen(0, 1, 7)] })).toEqual({ requests: [0, 7, 7] });
    expect(fitted({ few: [seen(2, 2, 8)], many: [seen(2, 2, 8)] })).toEqual({ requests: [0, 2, 2] });
  });

  test('is the mean of what several seeds show, and names what it shares', () => {
    const few = [seen(0, 1, 2, { uses: ['an invoice'] }), seen(0, 1, 4)];
    const many = [seen(0, 3, 6), seen(0, 3, 8)];
    expect(fitted({ few, many })).toEqual({ requests: [1, 0, 2], uses: ['an invoice'] });
  });

  test('without a ceiling is more by each case; less than half a request is chance', () => {
    const sightings = { few: [seen(0, 3, 6)], many: [seen(0, 60, 120)] };
    expect(fitted({ ...sightings, impolite: seen(0, 3, 36) })).toEqual({ requests: [0, 0, 2, 10] });
    expect(fitted({ ...sightings, impolite: seen(0, 3, 7) })).toEqual({ requests: [0, 0, 2] });
  });
});

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
