import { describe, expect, test } from 'vitest';
import type { ObservedOrder } from '../../../schemas/observed.ts';
import { seenFlaws, seenPair } from './seen-pair.ts';

const [sign, retired, state, limit] = [10009003, 10009034, 10009004, 10009006];

function order(firstCode: number, secondCode: number): ObservedOrder {
  return { first: `flaw ${firstCode}`, second: `flaw ${secondCode}`, firstCode, secondCode };
}

describe('an observed order', () => {
  test.each([
    [sign, retired, 'stated', 'precedence.401-before-410'],
    [state, limit, 'implied', 'precedence.403-before-429'],
    [state, retired, 'against-stated', 'precedence.410-before-403'],
    [limit, sign, 'against-implied', 'precedence.401-before-429'],
  ])('of %d before %d is %s', (first, second, agreement, clause) => {
    expect(seenPair(order(first, second))).toMatchObject({ agreement, clause });
  });

  test('of one code, of an unknown code or of none is open', () => {
    const [same, unknown, none] = [order(sign, sign), order(sign, 1), { first: 'a', second: 'b' }];
    for (const one of [same, unknown, none]) {
      expect(seenPair(one).agreement).toBe('open');
      expect(seenPair(one)).not.toHaveProperty('clause');
    }
  });
});

test('flaws stand in the order of the contract, the unknown ones last and by name', () => {
  const flaws = seenFlaws([order(limit, state), order(retired, sign), { first: 'z', second: 'y' }]);
  expect(flaws.map(({ refusal }) => refusal?.code)).toEqual([sign, retired, state, limit, undefined, undefined]);
  expect(flaws.slice(-2).map(({ name }) => name)).toEqual(['y', 'z']);
});

test('a flaw that one pair has without its code keeps the code of another pair', () => {
  const flaws = seenFlaws([order(limit, state), { first: 'y', second: `flaw ${limit}` }]);
  expect(flaws.find(({ name }) => name === `flaw ${limit}`)?.refusal?.code).toBe(limit);
});
