import { expect, test } from 'vitest';
import { findClause } from '../contract/catalogue.ts';
import { explainLines } from './list.ts';

test('a clause is explained with what the contract says of it, in its words', () => {
  const clause = findClause('retirement.no-grace-period');
  expect(clause && explainLines(clause)).toContain('  the contract, 4.3: There is no grace period.');
});
