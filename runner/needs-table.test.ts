import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { catalogue, isJudged } from '../contract/catalogue.ts';
import { additions, additionText, needsTable } from './needs-table.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('the README’s table of what each setting adds is the catalogue’s', () => {
  const shown = /<!-- needs -->\n\n([\s\S]*?)\n\n<!-- \/needs -->/.exec(readme)?.[1];
  expect(shown).toBe(needsTable());
});

test('a control API adds every clause that needs something', () => {
  const needy = catalogue.filter((clause) => isJudged(clause) && (clause.needs?.length ?? 0) > 0);
  expect(additions().at(-1)?.clauses).toEqual(needy);
});

test('an addition is counted by topic', () => {
  const rotated = additions().find(({ settings }) => settings.includes('NFE_APP_SECRET_ROTATED'));
  expect(rotated && additionText(rotated)).toBe('1 clause more (token 1)');
});
