import { expect, test } from 'vitest';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { combination, variants } from './all.ts';

test('a variant has a name of its own', () => {
  expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
});

test('a variant changes rules, and leaves the reference as it is', () => {
  const before = { ...referenceRules };
  for (const { change } of variants) expect(change(referenceRules)).not.toEqual(referenceRules);
  expect(referenceRules).toEqual(before);
});

test('a combination is that of its seed, and puts several variants together', () => {
  expect(combination(7).id).toBe(combination(7).id);
  const ids = Array.from({ length: 20 }, (_, seed) => combination(seed).id);
  expect(new Set(ids).size).toBe(20);
  expect(ids.every((id) => id.includes(', '))).toBe(true);
});
