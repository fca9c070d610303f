import { expect, test } from 'vitest';
import { exactText } from './markup.ts';
import { spellingNote } from './words.ts';

test('a text with something spelt out says that a copy has the spelling', () => {
  expect(spellingNote(exactText('a\u0000'))?.html).toContain('such as <code>\\u{0}</code>: a copy has the spelling');
});

test('a text that copies exactly says nothing, whatever it spells itself', () => {
  expect(spellingNote(exactText('a\r\n\t\\u{0}<span class="spelt">'))).toBeUndefined();
});
