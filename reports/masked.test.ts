import { expect, test } from 'vitest';
import type { Results } from '../schemas/results.ts';
import { maskedResults } from './leaks.ts';
import { sampleResults } from './testing/sample-run.ts';

test('what holds no secret is not copied: of results without one nothing, of others all but the way to it', () => {
  const results = sampleResults();
  expect(maskedResults(results, (text) => text)).toBe(results);
  const masked = maskedResults(results, (text) => text.replaceAll('TICKET-12', '$SECRET'));
  const index = results.clauses.findIndex(({ reason }) => reason === 'TICKET-12');
  expect(masked.clauses[index]).not.toBe(results.clauses[index]);
  expect(masked.clauses[index]?.checks).toBe(results.clauses[index]?.checks);
  expect(masked.clauses[index + 1]).toBe(results.clauses[index + 1]);
});

test('a secret that is the name of a level of assurance does not break what reads it', () => {
  const level: Results['level'] = { complete: 'secret', reached: [{ name: 'secret', exercised: 1, of: 1 }] };
  const masked = maskedResults({ ...sampleResults(), level }, (text) => text.replaceAll('secret', '$NFE_APP_SECRET'));
  expect(masked.level).toEqual(level);
});
