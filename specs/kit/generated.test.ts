import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ledgerMemory } from '../../targets/traffic/ledger.ts';
import type { Run } from '../../targets/address.ts';
import { foreignAddress } from '../../targets/testing/foreign-address.ts';
import { Deviation } from './deviation.ts';
import { attemptProperty } from './generated.ts';
import { newRecord } from './trial-record.ts';

const run: Run = {
  name: 'a',
  address: foreignAddress('http://127.0.0.1:9'),
  traffic: { memory: ledgerMemory(), budget: 0 },
  clauses: [],
  seed: 1,
  numRuns: 100,
  mostShrinks: 10,
  repetitions: 0,
  secrets: new Map(),
};

/** The cases that are tried of these, and what came of it. */
async function triedOf<T>(
  cases: fc.Arbitrary<T>,
  isRight: (value: T, times: number) => boolean = () => true,
): Promise<{ tried: readonly T[]; counted: number; hasFailed: boolean }> {
  const tried: T[] = [];
  const attempt = await attemptProperty(cases, [], run, newRecord(), async (value) => {
    tried.push(value);
    if (!isRight(value, tried.length)) throw new Error('wrong');
  });
  return { tried, counted: attempt.cases, hasFailed: attempt.failure !== undefined };
}

test('where there are but two cases, each is tried three times', async () => {
  const { tried, counted } = await triedOf(fc.constantFrom('a', 'b'));
  expect(tried.toSorted()).toEqual(['a', 'a', 'a', 'b', 'b', 'b']);
  expect(counted).toBe(6);
});

test('cases that all differ are all tried', async () => {
  const { tried, counted } = await triedOf(fc.integer({ min: 0, max: 1_000_000_000 }).map((from) => ({ from })));
  expect(new Set(tried.map(({ from }) => from)).size).toBeGreaterThan(85);
  expect(counted).toBe(tried.length);
});

test('a case that fails at its third time is found', async () => {
  const { hasFailed } = await triedOf(fc.constant('a'), (_, times) => times < 3);
  expect(hasFailed).toBe(true);
});

test('sequences of commands, which show what they are only once they have run, are all tried', async () => {
  const command = { check: () => true, run: () => undefined, toString: () => 'step' };
  const { tried } = await triedOf(fc.commands([fc.constant(command)], { maxCommands: 3 }));
  expect(tried).toHaveLength(100);
});

test.each([
  { what: 'what it builds on did not come', change: { isPremise: true, restsOnTime: true }, isShrunk: false },
  { what: 'what it builds on is wrong', change: { isPremise: true }, isShrunk: true },
  { what: 'what its own rule demands did not come', change: { restsOnTime: true }, isShrunk: true },
])('a failing case is made smaller, or not, where $what', async ({ change, isShrunk }) => {
  let tried = 0;
  await attemptProperty(fc.integer({ min: 1_000 }), [], run, newRecord(), () => {
    tried += 1;
    throw new Deviation({ expected: 'an event', actual: 'none', ...change });
  });
  expect(tried > 1).toBe(isShrunk);
});
