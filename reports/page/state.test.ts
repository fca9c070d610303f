import { expect, test } from 'vitest';
import {
  fits,
  fragmentOf,
  isFiltering,
  noFilter,
  searchable,
  stateOf,
  type FilteredItem,
  type PageState,
} from './state.ts';

const known = {
  verdicts: ['passed', 'failed', 'warned'],
  levels: ['must', 'should'],
  topics: ['', 'echo', 'signature'],
};
const empty: PageState = { ...noFilter, language: undefined, at: '' };
const full: PageState = {
  verdicts: ['failed', 'warned'],
  levels: ['must'],
  topic: 'signature',
  text: 'a&b=c #é,+%',
  language: 'pt-BR',
  at: 'clause-echo.passed',
};

test.each([
  ['nothing', empty, ''],
  ['a place', { ...empty, at: 'clause-echo.passed' }, '#clause-echo.passed'],
  ['verdicts', { ...empty, verdicts: ['failed', 'warned'] }, '#verdict=failed,warned'],
  ['a place and a language', { ...empty, language: 'en' as const, at: 'failures' }, '#lang=en&at=failures'],
  ['everything', full, fragmentOf(full)],
])('%s is written as short as it can be, and read again as it was', (_, state, fragment) => {
  expect(fragmentOf(state)).toBe(fragment);
  expect(stateOf(fragment, known)).toEqual(state);
});

test('a text with half a surrogate pair is written all the same', () => {
  expect(fragmentOf({ ...empty, text: 'a\ud800' })).toBe('#text=a%EF%BF%BD');
});

test.each([
  ['#verdict=bogus,,failed,failed&topic=__proto__&lang=fr', { verdicts: ['failed'] }],
  ['#verdict=%E0%A4%A', {}],
  ['#%E0%A4%A', { at: '\ufffd%A' }],
  ['#=&&==&text', {}],
  ['#', {}],
])('of %s only what the page knows is kept', (fragment, kept) => {
  expect(stateOf(fragment, known)).toEqual({ ...empty, ...kept });
});

test('a filter of blanks lets everything through', () => {
  expect(isFiltering({ ...noFilter, text: '  ' })).toBe(false);
  expect(isFiltering({ ...noFilter, topic: 'echo' })).toBe(true);
});

const item = (verdict: string, level: string, topic: string, words: string): FilteredItem => {
  return { verdict, level, topic, words: searchable(words) };
};
const items = [
  item('passed', 'must', 'echo', 'echo.passed What É says.'),
  item('failed', 'must', 'echo', 'echo.failed'),
  item('failed', 'should', 'token', 'token.failed Ação'),
];

test.each([
  ['nothing', {}, 3],
  ['several of one kind, which widen', { verdicts: ['passed', 'failed'] }, 3],
  ['a verdict and a level, which narrow', { verdicts: ['failed'], levels: ['must'] }, 1],
  ['a verdict and a topic, which narrow', { verdicts: ['failed'], topic: 'token' }, 1],
  ['a text, accents and case aside', { text: 'acao' }, 1],
  ['words that all must be there', { text: 'AÇÃO token' }, 1],
  ['a word between blanks', { text: '  failed  ' }, 2],
  ['words of which one is missing', { text: 'failed says' }, 0],
])('chosen by %s, so many clauses are found', (_, chosen, found) => {
  expect(items.filter(fits({ ...noFilter, ...chosen }))).toHaveLength(found);
});
