import { expect, test } from 'vitest';
import { fragmentOf, isFiltering, noFilter, stateOf, type PageState } from './fragment.ts';

const known = {
  verdicts: ['passed', 'failed', 'warned'],
  levels: ['must', 'should'],
  topics: ['', 'echo', 'signature'],
};
const empty: PageState = { ...noFilter, language: undefined, theme: 'auto', areKeysOn: true, at: '' };
const full: PageState = {
  verdicts: ['failed', 'warned'],
  levels: ['must'],
  topic: 'signature',
  text: 'a&b=c #é,+%',
  language: 'pt-BR',
  theme: 'dark',
  areKeysOn: false,
  at: 'clause-echo.passed',
};

test.each([
  ['nothing', empty, ''],
  ['a place', { ...empty, at: 'clause-echo.passed' }, '#clause-echo.passed'],
  ['verdicts', { ...empty, verdicts: ['failed', 'warned'] }, '#verdict=failed,warned'],
  ['a place and a language', { ...empty, language: 'en' as const, at: 'failures' }, '#lang=en&at=failures'],
])('%s is written as short as it can be', (_, state, fragment) => {
  expect(fragmentOf(state)).toBe(fragment);
  expect(stateOf(fragment, known)).toEqual(state);
});

test('what is written is read again as it was', () => {
  expect(stateOf(fragmentOf(full), known)).toEqual(full);
});

test('a text with half a surrogate pair is written all the same', () => {
  expect(fragmentOf({ ...empty, text: 'a\ud800' })).toBe('#text=a%EF%BF%BD');
});

test.each([
  ['#verdict=bogus,,failed,failed&topic=__proto__&lang=fr&theme=pink', { verdicts: ['failed'] }],
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
