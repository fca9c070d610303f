import { expect, test } from 'vitest';
import { digitsOf, layoutText, requiredText } from './layout-text.ts';

test.each([
  ['  a \r\n b ', 'a b'],
  ['ac\u0327a\u0303o', 'ação'],
  ['a–b', 'a?b'],
  ['😀', '?'],
  ['\ud800\u0000', '??'],
  ['1234 6789', '1234'],
  ['12345678', '12345'],
])('%j fits into five characters as %j', (text, fitting) => {
  expect(layoutText(text, 5)).toBe(fitting);
});

test('what is empty or too short is nothing, or is said not to be known', () => {
  expect([layoutText('', 5), layoutText(undefined, 5), layoutText('a', 5, 2)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(requiredText(' ', 60)).toBe('NAO INFORMADO');
  expect(requiredText('a', 6, 2)).toBe('NAO IN');
});

test.each([
  ['+55 (11) 99999-9999', '5511999999999'],
  ['12345', undefined],
  ['123456789012345', undefined],
  [undefined, undefined],
])('the digits of %j are %j', (text, digits) => {
  expect(digitsOf(text, 6, 14)).toBe(digits);
});
