import { describe, expect, test } from 'vitest';
import { atRate, draws, oneNodeOf, type Moment, type When } from './breach.ts';

function moment(some: Partial<Moment>): Moment {
  return { nth: 0, connection: 0, drawn: 0.5, ...some };
}

/** In how many of ten thousand moments a wire is broken. */
function times({ isBroken }: When, seed = 1): number {
  const draw = draws(seed);
  return Array.from({ length: 10_000 }, (_, nth) => moment({ nth, connection: 40_000 + nth, drawn: draw() })).filter(
    isBroken,
  ).length;
}

describe('a wire is broken', () => {
  test.each([1, 2, 10, 25])('at a rate of %i percent about so often', (percent) => {
    expect(Math.abs(times(atRate(percent)) - percent * 100)).toBeLessThan(20 + 10 * percent);
  });

  test('at one node of two or four: by turns exactly, drawn for a request or a connection about so often', () => {
    expect([2, 4].map((nodes) => times(oneNodeOf(nodes, 'round-robin')))).toEqual([5000, 2500]);
    for (const turn of ['random', 'sticky'] as const) {
      for (const nodes of [2, 4]) expect(Math.abs(times(oneNodeOf(nodes, turn)) - 10_000 / nodes)).toBeLessThan(200);
    }
  });
});

test('the same seed draws the same, another seed something else', () => {
  const drawn = (seed: number): number[] => Array.from({ length: 5 }, draws(seed));
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});
