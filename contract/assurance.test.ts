import { expect, test } from 'vitest';
import { assuranceOf, isWithheldWithoutLeave } from './assurance.ts';
import { catalogue, findClause } from './catalogue.ts';
import type { Clause } from './clause.ts';
import { needs, type Need, type NeedName } from './needs.ts';

const clause: Clause = { id: 'echo.a', section: '4.1', level: 'must', binds: 'service', statement: 'It is so.' };

test.each<[string, readonly NeedName[], readonly NeedName[] | undefined]>([
  ['secret', [], undefined],
  ['credentials', ['disabled-application'], undefined],
  ['receiver', ['authorised-issuance', 'callbacks'], undefined],
  ['control', ['callbacks', 'movable-clock', 'empresa'], undefined],
  ['receiver', ['movable-clock', 'callbacks'], ['stored-deliveries']],
  ['credentials', ['empresa'], ['stored-deliveries']],
])('level %s exercises a clause that needs %j, or else %j', (level, wanted, needsInstead) => {
  expect(assuranceOf({ ...clause, needs: wanted, ...(needsInstead && { needsInstead }) })).toBe(level);
});

test('the ladder of retries belongs to the level of a receiver, which can store it overnight', () => {
  const ladder = catalogue.filter(({ needsInstead }) => needsInstead !== undefined);
  expect(ladder.map(({ id }) => id)).toContain('webhook-delivery.retry-delays');
  expect(new Set(ladder.map(assuranceOf))).toEqual(new Set(['receiver']));
});

test('what needs a control API, and no setting supplies, belongs to the level of control', () => {
  const isOfControl = (need: Need): boolean =>
    need.settings.length === 0 && need.profileFiles === undefined && need.argument === undefined;
  for (const need of Object.values<Need>(needs)) expect(need.level === 'control', need.text).toBe(isOfControl(need));
});

test('only what asks for a real issuance is withheld without leave', () => {
  const withheld = catalogue.filter(isWithheldWithoutLeave).map(({ id }) => id);
  expect(withheld).toEqual(['nfe-issuance.ambiente-known', 'nfe-issuance.both-ambientes']);
  expect(findClause('nfe-issuance.both-ambientes')?.needs).toContain('real-issuance');
});
