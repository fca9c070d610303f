import { expect, test } from 'vitest';
import { shortened, visible } from './visible.ts';

test('controls, direction marks, line separators and lone surrogates are spelt out', () => {
  expect(visible('a\r\n\t\u0000\u001b\u007f\u009b\u202e\u2066\u200b\u2028\ud800z')).toBe(
    String.raw`a\r\n\t\u{0}\u{1b}\u{7f}\u{9b}\u{202e}\u{2066}\u{200b}\u{2028}\u{d800}z`,
  );
});

test('what the eye can see stays: accents, spaces, a whole emoji', () => {
  expect(visible('ação 日本 😀 – "x"')).toBe('ação 日本 😀 – "x"');
});

test('the characters to keep stay', () => {
  expect(visible('a\nb\r', '\n')).toBe('a\nb\\r');
});

test('a text that is too long is cut and says how long it was', () => {
  expect(shortened('abcdef', 6)).toBe('abcdef');
  expect(shortened('abcdefg', 6)).toBe('abcdef… (7 characters in all)');
});
