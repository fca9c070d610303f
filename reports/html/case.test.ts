import { expect, test } from 'vitest';
import { caseBlock } from './case.ts';

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
