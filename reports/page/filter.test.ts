import { expect, test } from 'vitest';
import { countsOf, fits, searchable, type FilteredItem } from './filter.ts';
import { noFilter } from './fragment.ts';

const item = (verdict: string, level: string, topic: string, words: string): FilteredItem => {
  return { verdict, level, topic, words: searchable(words) };
};
const items = [
  item('passed', 'must', 'echo', 'echo.passed What É says.'),
  item('failed', 'must', 'echo', 'echo.failed'),
  item('failed', 'should', 'token', 'token.failed Ação'),
];

test('no filter lets everything through', () => {
  expect(items.filter(fits(noFilter))).toEqual(items);
});

test('choices of one kind widen, those of different kinds narrow', () => {
  expect(items.filter(fits({ ...noFilter, verdicts: ['passed', 'failed'] }))).toHaveLength(3);
  expect(items.filter(fits({ ...noFilter, verdicts: ['failed'], levels: ['must'] }))).toEqual([items[1]]);
  expect(items.filter(fits({ ...noFilter, verdicts: ['failed'], topic: 'token' }))).toEqual([items[2]]);
});

test.each([
  ['acao', 1],
  ['AÇÃO token', 1],
  ['  failed  ', 2],
  ['failed says', 0],
])('the text %j finds the clauses that have all of its words, accents and case aside', (text, found) => {
  expect(items.filter(fits({ ...noFilter, text }))).toHaveLength(found);
});

test('each choice counts what it would show beside the others', () => {
  const { shown, verdict, level, topic } = countsOf(items, { ...noFilter, verdicts: ['failed'], levels: ['must'] });
  expect(shown).toBe(1);
  expect(Object.fromEntries(verdict)).toEqual({ passed: 1, failed: 1 });
  expect(Object.fromEntries(level)).toEqual({ must: 1, should: 1 });
  expect(Object.fromEntries(topic)).toEqual({ '': 1, echo: 1 });
});
