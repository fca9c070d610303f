import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../trace/exchange.ts';
import { signedRequest } from '../../client/sign.ts';
import { nodeOf, type AskedAgain } from './nodes.ts';

const request = signedRequest({ call: { method: 'GET', path: '/openapi/x' }, token: 't', timestamp: '1' });

/** Numbers from 0 up to 1 that follow from a seed. */
function drawing(seed: number): () => number {
  let state = seed * 7919 + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

interface Answered {
  readonly node: number;
  readonly connection?: number;
  readonly headers?: readonly (readonly [string, string])[];
  readonly peer?: string;
}

/** So many answers, each by some node; node 0 is the bad one. */
function asked(count: number, answered: (nth: number) => Answered): AskedAgain {
  return Array.from({ length: count }, (_, nth) => {
    const { node, ...response } = answered(nth);
    const exchange: Exchange = {
      request,
      sentAtMs: Date.UTC(2026, 0, 1) + nth * 200,
      durationMs: 20,
      response: { status: 200, headers: [], rawBody: Buffer.alloc(0), connection: Math.floor(nth / 4), ...response },
    };
    return { exchange, isBroken: node === 0 };
  });
}

const drawn = (seed: number, nodes: number): (() => number) => {
  const draw = drawing(seed);
  return () => Math.floor(draw() * nodes);
};

describe('a bad node is told', () => {
  const seeds = Array.from({ length: 30 }, (_, seed) => seed + 1);
  const told = (make: (draw: () => number, nodes: number) => AskedAgain, nodes: number) =>
    seeds.map((seed) => nodeOf(make(drawn(seed, nodes), nodes))?.by);

  test.each([2, 4, 8])('by a header that says which it is, of %i', (nodes) => {
    const all = told(
      (draw) => asked(60, () => ((node) => ({ node, headers: [['X-Node', `n${node}`]] }))(draw())),
      nodes,
    );
    expect(new Set(all)).toEqual(new Set(['header']));
  });

  test('by the cookie that it gives out, whatever else stands in it', () => {
    const answers = asked(40, (nth) => ({
      node: nth % 3,
      headers: [['set-cookie', `lb=${nth % 3}; Expires=${nth}`]],
    }));
    expect(nodeOf(answers)).toEqual({ by: 'cookie', name: 'set-cookie', value: 'lb=0', wrong: 1, of: 3 });
  });

  test('by its clock', () => {
    const answers = asked(40, (nth) => {
      const ahead = nth % 5 === 0 ? 60 : 0;
      const date = new Date(Date.UTC(2026, 0, 1) + nth * 200 + ahead * 1000).toUTCString();
      return { node: nth % 5, headers: [['date', date]] };
    });
    expect(nodeOf(answers)).toMatchObject({ by: 'clock', value: '60 s', wrong: 1, of: 2 });
  });

  test('by the address that it answers from', () => {
    const answers = asked(40, (nth) => ({ node: nth % 3, peer: `192.0.2.${nth % 3}` }));
    expect(nodeOf(answers)).toEqual({ by: 'address', wrong: 1, of: 3 });
  });

  test.each([2, 4, 8])('by its connections where each has one node, of %i', (nodes) => {
    const sticky = seeds.map((seed) => {
      const nodeAt = Array.from({ length: 38 }, drawn(seed, nodes));
      nodeAt[0] = 0;
      return nodeOf(asked(150, (nth) => ({ node: nodeAt[Math.floor(nth / 4)] ?? 0 })))?.by;
    });
    expect(new Set(sticky)).toEqual(new Set(['connection']));
  });

  test.each([2, 3, 4, 8])('by its turn where %i take turns', (nodes) => {
    expect(nodeOf(asked(80, (nth) => ({ node: nth % nodes })))).toEqual({ by: 'turn', wrong: 1, of: nodes });
  });

  test.each([2, 4, 8])(
    'by its share where one of %i is drawn each time, and never by a connection or a turn',
    (nodes) => {
      const all = told((draw) => asked(120, () => ({ node: draw() })), nodes);
      expect(new Set(all)).toEqual(new Set(['share']));
    },
  );
});

test('nothing is told of what is so each time, never, or too seldom to say', () => {
  expect(nodeOf(asked(20, () => ({ node: 0 })))).toBeUndefined();
  expect(nodeOf(asked(20, () => ({ node: 1 })))).toBeUndefined();
  expect(nodeOf(asked(20, (nth) => ({ node: nth === 7 ? 0 : 1 })))).toBeUndefined();
  expect(nodeOf(asked(150, (nth) => ({ node: nth === 70 ? 0 : 1 })))).toBeUndefined();
});

test('a header that only wrong answers have, or that is new in each, names no node', () => {
  const answers = asked(120, (nth) => ({
    node: (nth * nth) % 7 === 1 ? 0 : 1,
    headers: [...((nth * nth) % 7 === 1 ? [['x-error', 'E1'] as const] : []), ['x-request-id', String(nth)]],
  }));
  expect(nodeOf(answers)?.by).not.toBe('header');
});
