import { expect, test } from 'vitest';
import { curveOf, pictureOf, shareAt } from './curve.ts';

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
