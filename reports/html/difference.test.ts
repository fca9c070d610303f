import { describe, expect, test } from 'vitest';
import { codePointsOf } from '../../schemas/values.ts';
import { firstDifference, isLookAlike, type Span, caseBlock } from './difference.ts';

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
