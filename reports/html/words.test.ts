import { expect, test } from 'vitest';
import { blockOf, lineOf, spellingNote } from './words.ts';
import { exactText } from './markup.ts';

const room = { block: 100, line: 50 };

test('a longer one is shown as far as that, by its size in the page, and says so in both languages behind it', () => {
  expect(lineOf('<'.repeat(1_000), room).html).toBe(
    `${'&#60;'.repeat(10)} <span class="note cut"><span class="said">` +
      '<span lang="en">… the first 10 of 1,000 characters; the others are in results.json</span>' +
      '<span lang="pt-BR">… os primeiros 10 de 1.000 caracteres; os outros estão em results.json</span></span></span>',
  );
  expect(blockOf('é'.repeat(1_000), room).html).toMatch(
    /^<pre class="" tabindex="0">é{50}<\/pre> <span class="note cut">/,
  );
});

test('no character is cut in two', () => {
  expect(lineOf(`x${'😀'.repeat(100)}`, room).html).toMatch(/^x(?:😀){12} <span/);
  expect(lineOf('a\ud83d', room).html).toBe('a\\u{d83d}');
});

test('a text with something spelt out says that a copy has the spelling', () => {
  expect(spellingNote(exactText('a\u0000'))?.html).toContain('such as <code>\\u{0}</code>: a copy has the spelling');
});

test('a text that copies exactly says nothing, whatever it spells itself', () => {
  expect(spellingNote(exactText('a\r\n\t\\u{0}<span class="spelt">'))).toBeUndefined();
});
