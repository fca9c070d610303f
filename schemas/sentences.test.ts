import { expect, test } from 'vitest';
import stored from '../contract/sentences.json' with { type: 'json' };
import { validator } from './validate.ts';
import { closed } from './texts.ts';

const text = { type: 'string', minLength: 1 } as const;
const inItsWords = {
  section: { type: 'string', pattern: '^\\d+(\\.\\d+)?$' },
  sentence: text,
  sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
} as const;
const required = ['section', 'sentence', 'sha256', 'clauses'] as const;

/** A sentence that clauses judge. */
const judged = {
  type: 'object',
  required,
  additionalProperties: false,
  properties: { ...inItsWords, clauses: { type: 'array', items: text, minItems: 1, uniqueItems: true } },
} as const;

/** A sentence that none does, for a reason. */
const waived = {
  ...closed,
  required: [...required, 'waiver'],
  properties: {
    ...inItsWords,
    clauses: { type: 'array', maxItems: 0 },
    waiver: { type: 'string', pattern: '^[A-Z].*\\.$' },
  },
} as const;

/** The contract's sentences with what judges each: `contract/sentences.json`. */
const sentences = { $id: 'sentences', type: 'array', items: { oneOf: [judged, waived] } } as const;

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
