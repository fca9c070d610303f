import { expect, test } from 'vitest';
import stored from '../contract/sentences.json' with { type: 'json' };
import { sentences } from './sentences.ts';
import { validator } from './validate.ts';

const faultsOf = validator(sentences);
const sentence = { section: '4.3', sentence: 'There is no grace period.', sha256: '0'.repeat(64) };

test('every sentence of the contract has either clauses or a waiver with a reason', () => {
  expect(faultsOf(stored)).toEqual([]);
});

test.each([
  ['neither clauses nor a waiver', { clauses: [] }],
  ['clauses and a waiver', { clauses: ['retirement.gone'], waiver: 'Nothing to keep.' }],
  ['a waiver without a reason', { clauses: [], waiver: '' }],
  ['a clause twice', { clauses: ['retirement.gone', 'retirement.gone'] }],
])('a sentence with %s is refused', (_, rest) => {
  expect(faultsOf([{ ...sentence, ...rest }])).not.toEqual([]);
});

test.each([{ clauses: ['retirement.gone'] }, { clauses: [], waiver: 'Nothing to keep.' }])(
  'a sentence with %o is taken',
  (rest) => {
    expect(faultsOf([{ ...sentence, ...rest }])).toEqual([]);
  },
);
