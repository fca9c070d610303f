import { expect, test } from 'vitest';
import { findClause } from '../contract/catalogue.ts';
import { explainLines } from './list.ts';

test('a clause is explained with what the contract says of it, in its words', () => {
  const clause = findClause('retirement.no-grace-period');
  expect(clause && explainLines(clause)).toContain('  the contract, 4.3: There is no grace period.');
});

test('a clause is explained with how its doubtful places are read', () => {
  const clause = findClause('webhook-delivery.redirect-not-followed');
  expect(clause && explainLines(clause).join('\n')).toMatch(/^ {2}reading 31: A redirect is a failed attempt/m);
});
