import { describe, expect, test } from 'vitest';
import { codePointsOf } from '../../schemas/values.ts';
import { firstDifference, isLookAlike, type Span } from './difference.ts';
import { exactLine, exactText, markup, exactTextOf, type ShownPiece } from './markup.ts';
import { statementText } from './words.ts';
import { caseBlock } from './case.ts';

/** The marked pieces of two texts. */
function marked(one: string, other: string): unknown {
  const found = firstDifference(one, other);
  const piece = (text: string, { start, end }: Span): string => text.slice(start, end);
  return found && [piece(one, found.one), piece(other, found.other)];
}

describe('the first difference is marked', () => {
  test.each([
    ['410, code 10009034 (endpoint retired)', '404, code "NOT-FOUND"', ['410', '404']],
    ['401, code 10009000', '401, code 10009002', ['10009000', '10009002']],
    ['9f3c5d0e7a1b', '9f3c5d0e7a1c', ['9f3c5d0e7a1b', '9f3c5d0e7a1c']],
    ['the reason that it had before, "not reached."', '"not found."', ['reached', 'found']],
    ['the message as it was sent, "a\u0301"', '"\u00e1"', ['a\u0301', '\u00e1']],
    ['version is the string 1.0', 'version is the number 1', ['string', 'number']],
    ['status 200', 'status 200 and more', ['200', '200 ']],
  ])('of “%s” and “%s”', (one, other, pieces) => {
    expect(marked(one, other)).toEqual(pieces);
  });
});

test.each([
  ['the HMAC-SHA256 of the raw body', 'the signature is made in base64'],
  ['a platform envelope', 'none'],
  ['the same', 'the same'],
])('“%s” and “%s” are not compared', (one, other) => {
  expect(marked(one, other)).toBeUndefined();
});

describe('texts look alike', () => {
  test.each([
    ['in another form of Unicode', 'a\u0301', '\u00e1'],
    ['in full width', 'ＮＦ', 'NF'],
    ['with what no eye sees', 'NF\u200b-e', 'NF-e'],
    ['with a letter of another script', 'nоta', 'nota'],
    ['with another space', 'a\u00a0b', 'a b'],
    ['with another dash', 'NF–e', 'NF-e'],
  ])('%s', (_, one, other) => {
    expect(isLookAlike(one, other)).toBe(true);
  });

  test('not where a reader sees the difference', () => {
    expect(isLookAlike('nota', 'nata')).toBe(false);
    expect(isLookAlike('não', 'nao')).toBe(false);
  });
});

test('code points are told with what shows of them', () => {
  expect(codePointsOf('e\u0301\u200b😀', 4)).toBe('U+0065 e, U+0301 ◌\u0301, U+200B, U+1F600 😀');
});

const room = { block: 5_000, line: 500 };

/** What a case shows, without its markup, a part a line. */
function words(written: string): string[] {
  const { html } = caseBlock(written, room);
  const english = html.replaceAll(/<span lang="pt-BR">.*?<\/span>/g, '');
  return english
    .replaceAll(/<[^>]+>/g, '\n')
    .split('\n')
    .filter((line) => line.trim() !== '');
}

test.each([
  [
    '{"flaw":timestamp in milliseconds,"name":"nfe-verification"}',
    ['fault', 'timestamp in milliseconds', 'endpoint', 'nfe-verification'],
  ],
  ['{__proto__:null,"near":{"flaw":a,"name":"b"}}', ['just beyond', 'fault', 'a', 'endpoint', 'b']],
  [
    '{"chosen":{"call":GET /x},"flaw":without token, sign}',
    ['request', 'request', 'GET /x', 'fault', 'without token, sign'],
  ],
  ['["token","timestamp"]', ['token', 'timestamp']],
  [
    '[Issue(company 0, id 1, Negada),Settle(company 0, id 1)]',
    ['Issue(company 0, id 1, Negada)', 'Settle(company 0, id 1)'],
  ],
  ['[a :( b,c]', ['a :( b', 'c']],
  [
    '{"winners":[retired path],"losers":[limit spent, and more]}',
    ['faults that come first', 'retired path', 'faults that come later', 'limit spent', 'and more'],
  ],
  [
    '{"call":POST /x application/json "{\\"a\\":[1,2]}"}',
    ['request', 'POST /x application/json &#34;{\\&#34;a\\&#34;:[1,2]}&#34;'],
  ],
])('a case is told in words: %s', (written, told) => {
  expect(words(written)).toEqual(told);
});

test('what can not be taken apart is shown as it is written', () => {
  for (const written of ['POST /x', '{', '{a b}', '295', '{"open":'])
    expect(words(written)).toEqual([written.replaceAll('"', '&#34;')]);
});

test('a text is shown as it is, not as it is written', () => {
  expect(words('"a\\u00e7b"')).toEqual(['açb']);
});

test('nothing of a case becomes markup', () => {
  const hostile = '{"<img src=x>":<script>,"flaw":"</dd><b>"}';
  expect(caseBlock(hostile, room).html).not.toMatch(/<(?:img|script|b)\b/);
});

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
