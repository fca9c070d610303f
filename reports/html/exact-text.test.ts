import { expect, test } from 'vitest';
import { exactText, exactTextOf, type ShownPiece } from './markup.ts';

/** The pieces of a text as a browser has them after parsing. */
function shownPieces(text: string): ShownPiece[] {
  const pieces = exactText(text).html.split(/(<span class="spelt">[^<]*<\/span>)/);
  return pieces.map((html, index) => ({
    text: html.replace(/<[^>]*>/g, '').replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
    isSpelt: index % 2 === 1,
  }));
}

test.each([
  ['CR', 'a\rb\r'],
  ['LF', '\n\na\nb\n'],
  ['CRLF', '\r\na\r\n\r\nb\r\n'],
  ['LF before CR', 'a\n\rb'],
  ['NUL and other controls', '\u0000a\u001b[31m\u007f\u0085\t'],
  ['direction marks', '\u202ea\u2066b\u2069'],
  ['separators of lines and spaces that do not break', 'a\u2028b\u2029c\u00a0d'],
  ['lone surrogates', '\ud800a\udc00'],
  ['surrogate pairs and what lies outside the basic plane', '😀\u{e0041}\u{10ffff}'],
  ['spellings that are no marks', '\\r\\n\\u{1b} &#13; <span class="spelt">\\n</span>'],
  ['more marks than are shown one by one', 'a\n\\n\t\\u{1b}\r\u0000\\'.repeat(1000)],
])('a text with %s comes back from the page as it was', (_, text) => {
  expect(exactTextOf(shownPieces(text))).toBe(text);
});
