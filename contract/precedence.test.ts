import { describe, expect, test } from 'vitest';
import { codes, type CodeName } from './values.ts';
import { refusalsInOrder, refusalWith, statedOrder } from './precedence.ts';

const names: readonly CodeName[] = [
  'headersMissing',
  'timestampInvalid',
  'tokenInvalid',
  'signMismatch',
  'retired',
  'applicationDisabled',
  'applicationNotEffective',
  'integratorDisabled',
  'notSubscribed',
  'rateLimited',
];

describe('the order that the contract has of two refusals', () => {
  test.each<[CodeName, CodeName, string, string]>([
    ['signMismatch', 'retired', 'must', 'precedence.401-before-410'],
    ['headersMissing', 'notSubscribed', 'must', 'precedence.401-before-403'],
    ['retired', 'applicationDisabled', 'must', 'precedence.410-before-403'],
    ['retired', 'rateLimited', 'must', 'precedence.410-before-429'],
    ['tokenInvalid', 'rateLimited', 'implied', 'precedence.401-before-429'],
    ['integratorDisabled', 'rateLimited', 'implied', 'precedence.403-before-429'],
    ['timestampInvalid', 'tokenInvalid', 'implied', 'precedence.order-of-401'],
    ['applicationNotEffective', 'integratorDisabled', 'implied', 'precedence.order-of-403'],
  ])('%s comes before %s: %s', (first, second, level, clause) => {
    const order = { first: codes[first], level, clause };
    expect(statedOrder(codes[first], codes[second])).toEqual(order);
    expect(statedOrder(codes[second], codes[first])).toEqual(order);
  });

  test('every refusal comes before those behind it in the whole order', () => {
    expect(refusalsInOrder).toEqual(names.map((name) => codes[name]));
    for (const [at, first] of refusalsInOrder.entries())
      for (const second of refusalsInOrder.slice(at + 1)) expect(statedOrder(second, first)?.first).toBe(first);
  });

  test('of one code with itself there is none', () => {
    expect(statedOrder(codes.tokenInvalid, codes.tokenInvalid)).toBeUndefined();
  });
});

test('a refusal is found by its code', () => {
  expect(refusalWith(10009034)).toBe(codes.retired);
  expect(refusalWith(10009011)).toBeUndefined();
});
