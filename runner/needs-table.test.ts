import { expect, test } from 'vitest';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import { needs, type NeedName } from '../contract/needs.ts';
import { additions, additionText } from './needs-table.ts';

test('a control API adds every clause that needs more than a profile, on a target that is not ours', () => {
  const needsMore = (need: NeedName): boolean => !Object.hasOwn(needs[need], 'profileFiles');
  const added = catalogue.filter((clause) => isJudged(clause) && clause.needs?.some(needsMore));
  expect(additions().at(-1)?.clauses).toEqual(added);
});

test('an addition is counted by topic', () => {
  const rotated = additions().find(({ settings }) => settings.includes('NFE_APP_SECRET_ROTATED'));
  expect(rotated && additionText(rotated)).toBe('1 clause more (token 1)');
});
