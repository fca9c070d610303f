import { expect, test } from 'vitest';
import { mustJudged, catalogue } from '../../contract/catalogue.ts';
import { needs, type NeedName } from '../../contract/clause.ts';
import { additions, additionText } from './needs-table.ts';

test('a control API adds every must clause that needs more than a profile, on a target that is not ours', () => {
  const needsMore = (need: NeedName): boolean => !Object.hasOwn(needs[need], 'profileFiles');
  const added = mustJudged(catalogue, true).filter((clause) => clause.needs?.some(needsMore));
  expect(additions().at(-1)?.clauses).toEqual(added);
});

test('an addition is counted by topic', () => {
  const rotated = additions().find(({ settings }) => settings.includes('NFE_APP_SECRET_ROTATED'));
  expect(rotated && additionText(rotated)).toBe('1 must clause more (token 1)');
});
