import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import { needs, type NeedName } from '../contract/needs.ts';
import { additions, additionText, needsTable, profileTable } from './needs-table.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README’s table of what each setting adds is the catalogue’s', () => {
  const shown = /<!-- needs -->\n\n([\s\S]*?)\n\n<!-- \/needs -->/.exec(readme)?.[1];
  expect(shown).toBe(needsTable());
});

test('the README’s table of what the profile is needed for is the catalogue’s', () => {
  const shown = /<!-- profile -->\n\n([\s\S]*?)\n\n<!-- \/profile -->/.exec(readme)?.[1];
  expect(shown).toBe(profileTable());
});

test('a control API adds every clause that needs more than a profile, on a target that is not ours', () => {
  const needsMore = (need: NeedName): boolean => !Object.hasOwn(needs[need], 'profileFiles');
  const added = catalogue.filter((clause) => isJudged(clause) && clause.needs?.some(needsMore));
  const ofOthers = added.filter(({ needs: wanted = [] }) => !wanted.includes('own-target'));
  expect(additions().at(-1)?.clauses).toEqual(ofOthers);
});

test('an addition is counted by topic', () => {
  const rotated = additions().find(({ settings }) => settings.includes('NFE_APP_SECRET_ROTATED'));
  expect(rotated && additionText(rotated)).toBe('1 clause more (token 1)');
});
