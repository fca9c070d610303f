import { expect, test } from 'vitest';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { combination, usualCombinations, variants } from './all.ts';

test('a variant has a name of its own', () => {
  expect(new Set(variants.map(({ id }) => id)).size).toBe(variants.length);
});

test('a variant changes rules, and leaves the reference as it is', () => {
  const before = { ...referenceRules };
  for (const { change } of variants) expect(change(referenceRules)).not.toEqual(referenceRules);
  expect(referenceRules).toEqual(before);
});

test('a combination puts several variants together, and the first ones a hundred of them', () => {
  const ids = Array.from({ length: 20 }, (_, at) => combination(at + 1).id);
  expect(new Set(ids).size).toBe(20);
  expect(ids.every((id) => id.includes(', '))).toBe(true);
  const ofFirst = ids.slice(0, usualCombinations).flatMap((id) => id.replace(/^combination \d+ of /, '').split(', '));
  expect(new Set(ofFirst).size).toBeGreaterThanOrEqual(100);
});

test('every variant is in a combination', () => {
  const ids = Array.from({ length: 60 }, (_, at) => combination(at + 1).id).join(', ');
  expect(variants.map(({ id }) => id.replace('variant.', '')).filter((name) => !ids.includes(name))).toEqual([]);
});
