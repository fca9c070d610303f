import { expect, test } from 'vitest';
import { exactLine, exactText, markup, exactTextOf, type ShownPiece } from './markup.ts';
import { statementText } from './words.ts';

test('a text is escaped, in an element and in an attribute', () => {
  const text = `<a href='x'>"&amp;`;
  const escaped = '&#60;a href=&#39;x&#39;&#62;&#34;&#38;amp;';
  expect(markup`<p title="${text}">${text}</p>`.html).toBe(`<p title="${escaped}">${escaped}</p>`);
});

test('markup stays, lists are joined, numbers are shown and undefined is nothing', () => {
  const items = [1, 'a<', markup`<b>c</b>`].map((item) => markup`<li>${item}</li>`);
  expect(markup`<ul>${items}</ul>${undefined}${0}`.html).toBe('<ul><li>1</li><li>a&#60;</li><li><b>c</b></li></ul>0');
});

test('invisible characters of a text are spelt out, line breaks stay', () => {
  expect(markup`${'a\u0000\u202e\nb\r'}`.html).toBe('a\\u{0}\\u{202e}\nb\\r');
});

const mark = (shown: string, real: string): string => `<span class="mark" data-mark="${shown}">${real}</span>`;
const spelt = (shown: string): string => `<span class="spelt">${shown}</span>`;

test('an exact text spells out what else is invisible, a run of it in one piece', () => {
  expect(exactText('<\u001b\u0000\u202e>\u00a0\ud800').html).toBe(
    `&#60;${spelt('\\u{1b}\\u{0}\\u{202e}')}&#62;${spelt('\\u{a0}\\u{d800}')}`,
  );
});

test('an exact line stays one line', () => {
  expect(exactLine('a\r\nb\tc').html).toBe(`a${spelt('\\r\\n')}b${mark('\\t', '&#9;')}c`);
  expect(exactLine('a\t'.repeat(2000) + '\n').html).not.toContain('\n');
});

test.each([
  ['one control character', '\u0000'],
  ['control characters between letters', 'a\u0000'],
  ['line ends between letters', 'a\n'],
  ['every kind of invisible character in turn', '\r\t\n\u202e'],
  ['backslashes behind many marks', `${'\n\t'.repeat(600)}\\`],
])('a text of 20,000 times %s costs less than 200 kB', (_, unit) => {
  expect(exactText(unit.repeat(20_000).slice(0, 20_000)).html.length).toBeLessThan(200_000);
});

test('back-quoted words of a statement are code, and an odd back-quote stays', () => {
  expect(statementText('A `sign` of `<b>` is').html).toBe('A <code>sign</code> of <code>&#60;b&#62;</code> is');
  expect(statementText('a ` b').html).toBe('a ` b');
});

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
