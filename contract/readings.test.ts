import { expect, test } from 'vitest';
import { catalogue } from './catalogue.ts';
import { readings, readingsOf } from './readings.ts';

test('readings stand in the order of their numbers, each once', () => {
  const numbers = readings.map(({ number }) => number);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
});

test('each reading is of clauses that a run judges, each once', () => {
  for (const { number, clauses } of readings) {
    const ids: readonly string[] = clauses;
    const known = catalogue.filter(({ id }) => ids.includes(id));
    expect(known, `reading ${number}`).toHaveLength(clauses.length);
    expect(known.filter(({ unobservable }) => unobservable !== undefined)).toEqual([]);
  }
});

test('a clause that a reading calls implied fails no run, and one whose words leave no doubt has none', () => {
  const implied = (id: string): boolean => catalogue.some((clause) => clause.id === id && clause.level === 'implied');
  expect(
    ['nfe-issuance.unknown-company', 'verdict-event.reason-in-english', 'webhook-delivery.media-type'].map(implied),
  ).toEqual([true, true, true]);
  expect(readingsOf('token.verbatim')).toEqual([]);
});
