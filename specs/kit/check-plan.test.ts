import { expect, test } from 'vitest';
import type { Run } from '../../targets/address.ts';
import { asAskedOf, examplesOf, triesOf } from './check-plan.ts';
import { foreignAddress } from '../../targets/testing/server.ts';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';

const cases = { examples: ['a', 'b', 'c', 'd', 'e', 'f'], mostPolitely: 3 };
const at = (maxRps: number, numRuns: number): Run => ({
  name: 'test',
  address: foreignAddress('http://127.0.0.1', { maxRps }),
  clauses: [],
  seed: 1,
  numRuns,
  mostShrinks: 0,
  repetitions: 1,
  traffic: { memory: ledgerMemory(), budget: 0 },
  secrets: new Map(),
});

test.each([
  ['three of ten', at(5, 10), 3],
  ['three where few are asked for', at(5, 1), 3],
  ['as many more as are asked for', at(5, 50), 15],
  ['all without a ceiling', at(0, 10), 10],
])('at a pace a check that is content with three cases tries %s', (_, run, tried) => {
  expect(triesOf(run, cases).cases).toBe(tried);
});

test('its examples are the first ones', () => {
  expect(examplesOf(at(5, 10), cases)).toEqual(['a', 'b', 'c']);
  expect(examplesOf(at(5, 20), cases)).toHaveLength(6);
});

test('a clause that is asked for thoroughly has every example tried where others have few', () => {
  const few = { ...at(0, 1), mostExamples: 2, thorough: { clauses: ['echo.own'], numRuns: 10 } };
  expect(triesOf(asAskedOf(few, 'echo.other'), cases)).toMatchObject({ cases: 2, examples: 2 });
  expect(triesOf(asAskedOf(few, 'echo.own'), cases)).toMatchObject({ cases: 10, examples: 6 });
});
